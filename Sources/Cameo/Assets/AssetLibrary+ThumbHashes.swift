/// Keeps the ThumbHash of assets from one run to the next.
public protocol ThumbHashKeeping: Sendable {
    /// The hash of the content of `asset` that has `stamp`, if it is known. May read a file; is called in the lane that
    /// opens sources, never by whoever asks for a picture.
    func thumbHash(of asset: Asset.ID, _ stamp: ContentStamp) -> ThumbHash?

    /// Keeps a hash. Returns at once.
    func keep(_ hash: ThumbHash, of asset: Asset.ID, _ stamp: ContentStamp)
}

extension AssetLibrary: ThumbHashKeeping {
    /// The hash of the content of `asset` that has `stamp`, if the catalog knows it. O(log assets).
    public func thumbHash(of asset: Asset.ID, _ stamp: ContentStamp) -> ThumbHash? {
        notes.value(.thumbHash, of: asset, stamp).flatMap { ThumbHash($0) }
    }

    /// Keeps a hash in the catalog. Returns at once.
    public func keep(_ hash: ThumbHash, of asset: Asset.ID, _ stamp: ContentStamp) {
        notes.keep(hash.bytes, .thumbHash, of: asset, stamp)
    }

    /// Waits until the hashes that were kept are written.
    package func flushNotes() { notes.flush() }
}
