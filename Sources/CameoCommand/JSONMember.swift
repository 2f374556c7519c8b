/// Finds one value of a JSON object without changing a byte of it, so that it can be echoed as it came.
enum JSONMember {
    /// The bytes of the value that `key`, written without escapes, has in the object `line`; nil where there is none.
    ///
    /// The line need not be whole: what stands before its mistake counts, provided that the value itself is JSON.
    static func value(of key: String, in line: [UInt8]) -> [UInt8]? {
        var (depth, start, found) = (0, 0, -1)
        var index = line.startIndex
        while index < line.endIndex {
            switch line[index] {
            case quote:
                guard let end = endOfText(line, from: index) else { return nil }
                if depth == 1, found < 0, line[index + 1..<end].elementsEqual(key.utf8),
                    let place = line[(end + 1)...].firstIndex(where: { !isSpace($0) }), line[place] == colon
                {
                    (found, start) = (depth, place + 1)
                    index = place
                } else {
                    index = end
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == found { return whole(line[start..<index]) }
                depth -= 1
            case UInt8(ascii: ",") where depth == found: return whole(line[start..<index])
            default: break
            }
            index += 1
        }
        return nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let colon = UInt8(ascii: ":")

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }

    /// Where the text that begins at `start` has its closing quote.
    private static func endOfText(_ line: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < line.endIndex {
            if line[index] == quote { return index }
            index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// The value without space around it, if it is JSON.
    private static func whole(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        let value = Array(value.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        if value.isEmpty { return nil }
        // Inside an array any value is a document.
        return JSONLine.decode(Anything.self, [UInt8(ascii: "[")] + value + [UInt8(ascii: "]")]) == nil ? nil : value
    }

    /// Takes any JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
