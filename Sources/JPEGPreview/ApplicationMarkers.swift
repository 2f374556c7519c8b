/// What the application segments tell of the components.
struct ApplicationMarkers {
    private var hasJFIF = false
    private var hasAdobe = false
    private var transform: UInt8 = 0
    /// Whether a decoder has to warn of what they say.
    private(set) var isOdd = false

    mutating func read(_ marker: UInt8, _ payload: Span<UInt8>) {
        func begins(with text: StaticString) -> Bool {
            text.withUTF8Buffer { wanted in
                wanted.count <= payload.count && wanted.indices.allSatisfy { payload[$0] == wanted[$0] }
            }
        }
        if marker == 0xE0, payload.count >= 14, begins(with: "JFIF\0") {
            hasJFIF = true
            if payload[5] != 1 { isOdd = true }
        } else if marker == 0xEE, payload.count >= 12, begins(with: "Adobe") {
            (hasAdobe, transform) = (true, payload[11])
        }
    }

    /// The rules of thumb that libjpeg uses, in the same order.
    mutating func colorModel(_ frame: Frame) -> ColorModel {
        switch frame.components.count {
        case 1: return .grey
        case 3:
            if hasJFIF { return .yCbCr }
            if hasAdobe {
                if transform > 1 { isOdd = true }
                return transform == 0 ? .rgb : .yCbCr
            }
            return frame.components.map(\.identifier) == Array("RGB".utf8) ? .rgb : .yCbCr
        default:
            guard hasAdobe else { return .cmyk(isInverted: false) }
            if transform != 0, transform != 2 { isOdd = true }
            return transform == 0 ? .cmyk(isInverted: true) : .ycck(isInverted: true)
        }
    }
}
