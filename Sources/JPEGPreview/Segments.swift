/// A walk over a JPEG from marker to marker (ITU-T T.81, B.1.1). What stands between a segment and the next marker, entropy-
/// coded data or something that nobody knows, is passed over, as decoders do.
package struct Segments {
    /// What stands at a place.
    package enum Step: Hashable, Sendable {
        /// A marker of this code, with nothing behind it.
        case bare(UInt8)
        /// A marker of this code, and where what follows its length stands.
        case segment(UInt8, Range<Int>)
        /// The end of the image.
        case endOfImage
        /// A marker whose length is none.
        case malformed(UInt8)
        /// The bytes end before the next marker, or within its segment.
        case cutShort
    }

    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    /// Where the next marker is looked for. Behind what is cut short, the least that there would have to be.
    package private(set) var position: Int
    /// Bytes that were passed over before the marker of the last step.
    package private(set) var skipped = 0
    /// Where the marker of the last step stands.
    package private(set) var start = 0

    /// A walk from `position` on.
    ///
    /// - Parameter bytes: Readable from 0 to `end` for as long as the walk goes on. No other byte is read.
    init(_ bytes: UnsafePointer<UInt8>, from position: Int, end: Int) {
        self.bytes = bytes
        self.end = end
        self.position = position
    }

    /// A walk over a whole file, behind its start-of-image marker; nil where it does not begin with one. To be used only
    /// as long as `bytes` are there.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        self.init(start.assumingMemoryBound(to: UInt8.self), from: 2, end: bytes.count)
    }

    /// Goes on to the next marker, and over its segment.
    ///
    /// - Complexity: O(bytes passed over), as fast as a byte is looked for.
    package mutating func next() -> Step {
        guard let marker = Marker(after: position, in: bytes, end: end) else {
            position = max(position, end)
            return .cutShort
        }
        (start, skipped, position) = (marker.start, marker.skipped, marker.end)
        switch marker.code {
        case 0xD9: return .endOfImage
        case 0x01, 0xD0...0xD8: return .bare(marker.code)
        default: break
        }
        guard marker.end + 2 <= end else {
            position = marker.end + 2
            return .cutShort
        }
        let length = Int(bytes[marker.end]) << 8 | Int(bytes[marker.end + 1])
        guard length >= 2 else {
            position = marker.end + 2
            return .malformed(marker.code)
        }
        position = marker.end + length
        return position <= end ? .segment(marker.code, marker.end + 2..<position) : .cutShort
    }

    /// Goes on to where the first marker stands behind a scan's entropy-coded data; to the end without one.
    mutating func passScan() { position = DCDecoder.endOfScan(from: position, in: bytes, end: end) }
}

extension UInt8 {
    /// Whether this code is that of a frame header (ITU-T T.81, table B.1).
    package var isFrameHeader: Bool {
        (0xC0...0xCF).contains(self) && self != 0xC4 && self != 0xC8 && self != 0xCC
    }
}
