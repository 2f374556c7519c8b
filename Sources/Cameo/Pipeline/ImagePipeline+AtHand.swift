extension ImagePipeline {
    /// The picture of `request` as a file, if memory or the thumbnail store has it: for whoever hands out many at once
    /// and shows no pixels himself. Nothing is decoded, and nothing begins. May read a file, so it is no call for a
    /// frame loop; may be called from any thread. Nil where the picture would have to be made.
    ///
    /// - Complexity: O(log thumbnails), and O(pixels) for what is in memory and was never encoded.
    public func fileAtHand(for request: ImageRequest) -> (format: Encoding.Format, bytes: [UInt8])? {
        Statistics.count(counters.requests)
        let key = key(request.identity, request.currentStamp, request.rendition)
        if request.caching.contains(.readsMemory), let image = memory.value(for: key) {
            Statistics.count(counters.memoryHits)
            return try? image.encoded()
        }
        guard request.caching.contains(.readsDisk), let stored = store?.thumbnail(for: key) else { return nil }
        Statistics.count(counters.diskHits)
        return (stored.format, stored.bytes)
    }
}
