/// Writes values one behind the other so that each can be told from the next: numbers at a fixed width, text with its
/// length before it.
struct KeyWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 }
    }

    mutating func write(_ text: [UInt8]) {
        write(text.count)
        bytes += text
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ color: RGBColor?) {
        guard let color else { return write(-1) }
        write(Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue))
    }

    mutating func write(_ rendition: Rendition) {
        write(rendition.size.width)
        write(rendition.size.height)
        write(rendition.mode.rawValue)
        write(rendition.shape.rawValue)
        switch rendition.focus {
        case .centre: write(0)
        case .upper: write(1)
        case .top: write(2)
        case .attention: write(3)
        case .entropy: write(4)
        case .point(let x, let y): [5, x, y].forEach { write($0) }
        case .rectangle(let area): ([6] + area.components).forEach { write($0) }
        case .faces(let fallback, let framing):
            write(7)
            write(fallback.rawValue)
            write(framing.rawValue)
        }
        write(rendition.background)
        write(rendition.ring == nil ? 0 : 1)
        if let ring = rendition.ring {
            write(Int(bitPattern: UInt(ring.width.bitPattern)))
            write(ring.color)
        }
        write(rendition.enlarges ? 1 : 0)
        write(rendition.turn.rawValue)
        write(rendition.encoding.format?.rawValue ?? "")
        write(rendition.encoding.quality)
    }
}
