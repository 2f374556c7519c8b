/// What a thumbnail store keeps of a rendition.
public struct StoredThumbnail: Hashable, Sendable {
    /// How the bytes are encoded.
    public let format: Encoding.Format
    /// The encoded picture.
    public let bytes: [UInt8]
    /// The part of the upright source that is shown.
    public let crop: PixelRect

    /// A thumbnail of these properties.
    public init(format: Encoding.Format, bytes: [UInt8], crop: PixelRect) {
        self.format = format
        self.bytes = bytes
        self.crop = crop
    }

    /// Format and crop, which precede the bytes in the store.
    static let headLength = 1 + 4 * 4

    var packed: [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count + Self.headLength)
        packed.append(UInt8(Encoding.Format.allCases.firstIndex(of: format) ?? 0))
        for number in crop.components {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { packed += $0 }
        }
        return packed + bytes
    }

    /// What `packed` wrote; nil where it cannot have been that.
    init?(packed: [UInt8]) {
        guard packed.count > Self.headLength, Int(packed[0]) < Encoding.Format.allCases.count else { return nil }
        let numbers = packed.withUnsafeBytes { buffer in
            (0..<4).map {
                Int(UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 1 + $0 * 4, as: UInt32.self)))
            }
        }
        format = Encoding.Format.allCases[Int(packed[0])]
        crop = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        bytes = Array(packed[Self.headLength...])
    }
}
