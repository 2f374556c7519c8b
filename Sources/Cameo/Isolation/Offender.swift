/// What is known of a source that ended a worker, by whatever name it comes again.
enum Offender: Hashable {
    case file(device: UInt64, stamp: [Int64])
    /// What came from an address, or from a program: how long it is, and the digests of what is known of it.
    case content(count: Int, digests: [String])

    /// O(bytes) for what is in memory.
    init(_ source: ImageSource, _ input: WorkerInput) {
        self.init(source, input.stamp, device: input.device, count: input.size)
    }

    init(_ source: ImageSource, _ stamp: ContentStamp?, device: UInt64, count: Int) {
        if let stamp {
            let numbers = [Int64(bitPattern: stamp.inode), stamp.size, stamp.modified, stamp.changed]
            self = .file(device: device, stamp: numbers)
            return
        }
        let known =
            switch source {
            case .file: [[UInt8]]()
            case .bytes(let bytes, _): [bytes]
            case .sparse(let parts, _): [parts.head, parts.tail]
            }
        self = .content(count: count, digests: known.map(Digest.sha256))
    }
}
