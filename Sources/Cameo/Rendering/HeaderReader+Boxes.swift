extension HeaderReader {
    /// A box of an ISO base media file: its kind and where its content lies in the file.
    struct Box {
        let kind: String
        let content: Range<Int>
    }

    /// The boxes in `range` of the file, as far as they are whole (ISO/IEC 14496-12, 4.2).
    mutating func boxes(in range: Range<Int>, limit: Int = 500) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while offset <= range.upperBound - 8, boxes.count < limit, let head = window.bytes(at: offset, 8) {
            guard var length = head.span.uint32(at: 0) else { break }
            var start = offset + 8
            if length == 1 {
                guard let high = window.uint32(at: offset + 8), high < 1 << 20, let low = window.uint32(at: offset + 12)
                else { break }
                length = high << 32 | low
                start += 8
            } else if length == 0 {
                length = range.upperBound - offset
            }
            guard length >= start - offset else { break }
            let end = min(offset + length, range.upperBound)
            guard start <= end else { break }
            boxes.append(Box(kind: String(decoding: head[4...], as: UTF8.self), content: start..<end))
            offset += length
        }
        return boxes
    }

    /// The content of the first box called `kind` in `range`.
    mutating func box(_ kind: String, in range: Range<Int>) -> Range<Int>? {
        boxes(in: range).first { $0.kind == kind }?.content
    }
}
