/// Text that does nothing to a terminal but show.
///
/// Names are bytes of any kind: written as they are, an escape sequence in one would colour, move or retitle the
/// terminal, a carriage return would cover what stands before it, and a mark of the writing direction would show an
/// extension as another.
enum Printable {
    /// `bytes` with all that is not shown as itself replaced: `\n`, `\r` and `\t`, other control characters, line
    /// separators and marks of the writing direction as `\u001b`, bytes that are no UTF-8 as `\xff`.
    ///
    /// Between `$'` and `'` a shell reads these as the bytes that they stand for, and inside a text JSON reads the ones
    /// that JSON can need as the characters.
    ///
    /// - Complexity: O(n).
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return bytes }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count + 16)
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let units):
                let scalar = Unicode.UTF8.decode(units)
                if isShown(scalar) { escaped += units } else { escaped += name(of: scalar).utf8 }
                place += units.count
            case .error(let count):
                for byte in bytes[place..<place + count] { escaped += ("\\x" + hex(UInt32(byte), 2)).utf8 }
                place += count
            case .emptyInput: return escaped
            }
        }
    }

    /// The same of text.
    static func escaped(_ text: String) -> String { String(decoding: escaped(Array(text.utf8)), as: UTF8.self) }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return false
        default: return !properties.isBidiControl
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u" + hex(scalar.value, 4)
        }
    }

    private static func hex(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
