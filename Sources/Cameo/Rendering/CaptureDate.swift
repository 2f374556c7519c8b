/// When a picture was taken, by the clock on the wall where it was taken.
public struct CaptureDate: Hashable, Codable, Sendable {
    /// The civil date and time.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31, as the month has them.
    public let day: Int
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 59.
    public let second: Int
    /// 0 to 999,999,999.
    public internal(set) var nanosecond = 0
    /// Minutes east of Greenwich, where the camera recorded them.
    public internal(set) var offsetMinutes: Int?

    /// Reads EXIF's `2026:05:01 10:00:00`; nil where it names no day (cameras without a clock write zeros or blanks).
    package init?(exif text: String) {
        let parts = text.split { !$0.isASCII || !$0.isNumber }.prefix(6).compactMap { Int($0) }
        guard parts.count >= 3 else { return nil }
        year = parts[0]
        month = parts[1]
        day = parts[2]
        hour = parts.count > 3 ? parts[3] : 0
        minute = parts.count > 4 ? parts[4] : 0
        second = parts.count > 5 ? min(parts[5], 59) : 0
        guard year >= 1, year <= 9999, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
    }

    mutating func setFraction(exif digits: String) {
        let digits = digits.prefix { $0.isASCII && $0.isNumber }.prefix(9)
        guard !digits.isEmpty, var value = Int(digits) else { return }
        for _ in digits.count..<9 { value *= 10 }
        nanosecond = value
    }

    mutating func setOffset(exif text: String) {
        let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2, (0...14).contains(parts[0]),
            (0..<60).contains(parts[1])
        else { return }
        offsetMinutes = (parts[0] * 60 + parts[1]) * (sign == "-" ? -1 : 1)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension CaptureDate: CustomStringConvertible {
    /// ISO 8601, with the offset only where one is known: `2026-05-01T10:00:00+09:00`.
    public var description: String {
        func padded(_ value: Int, _ width: Int = 2) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        var text =
            "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))"
        if let offset = offsetMinutes {
            text += "\(offset < 0 ? "-" : "+")\(padded(abs(offset) / 60)):\(padded(abs(offset) % 60))"
        }
        return text
    }
}
