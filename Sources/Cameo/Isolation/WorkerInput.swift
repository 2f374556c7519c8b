import CGlibc
import Glibc

/// A source as an open file, which is how a worker gets it: nothing is looked up by name a second time.
///
/// Closes the file when it is released.
final class WorkerInput {
    let file: Int32
    /// Bytes.
    let size: Int
    /// Nil for bytes in memory.
    let stamp: ContentStamp?
    let device: UInt64
    /// Where the file holds zeros in place of what is not known; nil where it is whole.
    let hole: Range<Int>?

    /// Opens a file, or writes bytes into memory that has a file descriptor.
    init(_ source: ImageSource, _ limits: Limits) throws(RenderError) {
        switch source {
        case .file(let path):
            let (file, status) = try SourceBytes.open(path)
            self.file = file
            size = Int(status.st_size)
            stamp = ContentStamp(status, now: ContentStamp.now())
            device = UInt64(status.st_dev)
            hole = nil
        case .bytes(let bytes, let name):
            guard !bytes.isEmpty else { throw .empty(source: name) }
            (stamp, device, hole, size) = (nil, 0, nil, bytes.count)
            file = try Self.memory(bytes.count, name, limits)
            try fill(bytes, at: 0, name)
        case .sparse(let parts, let name):
            (stamp, device, hole, size) = (nil, 0, parts.hole, parts.count)
            file = try Self.memory(parts.count, name, limits)
            try fill(parts.head, at: 0, name)
            try fill(parts.tail, at: parts.hole.upperBound, name)
        }
    }

    private static func memory(_ count: Int, _ name: String, _ limits: Limits) throws(RenderError) -> Int32 {
        guard count <= limits.bytes else { throw SourceBytes.overLimit(name, count, limits.bytes) }
        let file = cglibc_sealed_memory(count)
        guard file >= 0 else { throw noMemory(name) }
        return file
    }

    private func fill(_ bytes: [UInt8], at place: Int, _ name: String) throws(RenderError) {
        guard SharedPixels.write(bytes, to: file, at: place) else { throw Self.noMemory(name) }
    }

    private static func noMemory(_ name: String) -> RenderError {
        .environment(reason: "\(name): no memory to hand it to a worker: \(errorText(errno))")
    }

    deinit { if file >= 0 { close(file) } }
}
