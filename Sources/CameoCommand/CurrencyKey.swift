import Cameo

/// What decides whether an output is what a run would write.
struct CurrencyKey: Codable {
    let stamp: ContentStamp
    /// The content itself, where the stamp was taken too soon after a change to prove anything.
    let digest: String?
    let renditions: String
    let engine: String
    /// True where all of the source was judged; nil where damage may have gone unseen.
    let isStrict: Bool?

    init(stamp: ContentStamp, digest: String?, outputs: [BatchSettings.Output], isStrict: Bool) {
        self.stamp = stamp
        self.digest = digest
        renditions = Self.renditions(outputs)
        engine = Self.engine(outputs)
        self.isStrict = isStrict ? true : nil
    }

    /// The same outputs under a stamp that proves its content.
    init(_ other: CurrencyKey, settled stamp: ContentStamp) {
        self.stamp = stamp
        digest = nil
        (renditions, engine, isStrict) = (other.renditions, other.engine, other.isStrict)
    }

    /// What was made strictly serves a run that is not, and not the other way round.
    func isCurrent(_ now: ContentStamp, _ outputs: [BatchSettings.Output], path: FilePath, options: RenderOptions)
        -> Bool
    {
        guard engine == Self.engine(outputs), stamp.matches(now), renditions == Self.renditions(outputs),
            isStrict == true || !options.isStrict
        else { return false }
        guard stamp.isRacy else { return true }
        return (try? Digest.sha256(of: path, limit: options.limits.bytes)) == digest
    }

    /// What makes `outputs`: where faces place one, the detector too, for other faces make other pictures.
    ///
    /// - Parameter detector: The detector's version.
    static func engine(
        _ outputs: [BatchSettings.Output], detector: String = FaceSearch.standard.detector.version
    ) -> String {
        Cameo.engineVersion + (outputs.contains { $0.rendition.searchesFaces } ? "+\(detector)" : "")
    }

    /// What is asked for, as a digest.
    static func renditions(_ outputs: [BatchSettings.Output]) -> String {
        Digest.sha256(JSONLine.encode(outputs.map(\.rendition)))
    }
}
