/// From a JPEG's components to grey, RGB or CMYK.
enum ColorConversion {
    /// Converts a row; `rows` has one for each component, `out` has room for as many samples as `model` asks for.
    static func convert(_ rows: [[UInt8]], _ model: ColorModel, into out: UnsafeMutableBufferPointer<UInt8>) {
        switch model {
        case .grey: for x in rows[0].indices { out[x] = rows[0][x] }
        case .rgb: interleave(rows, flip: 0, into: out)
        case .cmyk(let isInverted): interleave(rows, flip: isInverted ? 255 : 0, into: out)
        case .yCbCr: fromLuma(rows, step: 3, flip: 0, into: out)
        case .ycck(let isInverted):
            // The three are inks: the complement of a colour.
            fromLuma(rows, step: 4, flip: isInverted ? 0 : 255, into: out)
            for x in rows[3].indices { out[4 * x + 3] = isInverted ? 255 - rows[3][x] : rows[3][x] }
        }
    }

    private static func interleave(_ rows: [[UInt8]], flip: UInt8, into out: UnsafeMutableBufferPointer<UInt8>) {
        for (channel, row) in rows.enumerated() {
            for x in row.indices { out[x * rows.count + channel] = row[x] ^ flip }
        }
    }

    /// JFIF 1.02: R = Y + 1.402 Cr, G = Y − 0.344136 Cb − 0.714136 Cr, B = Y + 1.772 Cb, in 65536ths.
    private static func fromLuma(
        _ rows: [[UInt8]], step: Int, flip: UInt8, into out: UnsafeMutableBufferPointer<UInt8>
    ) {
        let width = rows[0].count
        precondition(rows[1].count == width && rows[2].count == width && out.count == width * step)
        rows[0].withUnsafeBufferPointer { luma in
            rows[1].withUnsafeBufferPointer { blue in
                rows[2].withUnsafeBufferPointer { red in
                    for x in 0..<width {
                        let y = Int32(luma[x]) << 16 + 32768
                        let (cb, cr) = (Int32(blue[x]) - 128, Int32(red[x]) - 128)
                        out[x * step] = clamped(y &+ 91881 &* cr) ^ flip
                        out[x * step + 1] = clamped(y &- 22554 &* cb &- 46802 &* cr) ^ flip
                        out[x * step + 2] = clamped(y &+ 116_130 &* cb) ^ flip
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func clamped(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value >> 16))) }
}
