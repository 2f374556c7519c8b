import Cameo

/// Names outputs by the content that they are made of and by what is asked for: the same on every machine.
enum ContentName {
    /// Stems of `outputs` of the content that `stamp` tells, at `source` unless the stamp is a digest and the content
    /// the same wherever it lies.
    ///
    /// They lie two folders deep, so that no folder gets too many. The whole list of outputs counts: one that is made
    /// in other company may differ by a level.
    static func stems(stamp: String, source: FilePath, _ settings: BatchSettings) -> [FilePath] {
        let isDigest = stamp.hasPrefix(SourceStamp.digestPrefix)
        let parts = [
            stamp, isDigest ? "" : source.lossyBytes ?? source.description, CurrencyKey.renditions(settings.outputs),
            CurrencyKey.engine(settings.outputs), settings.options.isStrict ? "strict" : "",
        ]
        let digest = Digest.sha256(JSONLine.encode(parts)).prefix(32)
        let folders = "\(digest.prefix(2))/\(digest.dropFirst(2).prefix(2))/"
        return settings.outputs.map { FilePath(folders + digest + $0.suffix) }
    }
}
