/// A rendition as a part of a cache key.
extension ByteWriter {
    mutating func write(_ color: RGBColor?) {
        guard let color else { return write(-1) }
        write(Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue))
    }

    mutating func write(_ rendition: Rendition) {
        write(rendition.size.width)
        write(rendition.size.height)
        write(rendition.mode.rawValue)
        write(rendition.shape.rawValue)
        write(rendition.focus)
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
