extension CaptureDate {
    /// Seconds from 1970-01-01T00:00 to the civil time, both read off the same clock; the offset plays no part.
    ///
    /// Sorting by it puts photos into the order of the days on which they were taken, wherever that was.
    public var civilSeconds: Int64 {
        Int64(Self.civilDay(year: year, month: month, day: day)) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// Days from 1970-01-01 to the civil day.
    public var civilDay: Int { Self.civilDay(year: year, month: month, day: day) }

    /// The civil seconds of the years 1 to 9999.
    static let civilRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The civil time `civilSeconds` after 1970-01-01T00:00; kept within the years 1 to 9999.
    ///
    /// - Parameters:
    ///   - civilSeconds: Seconds by the clock on the wall.
    ///   - nanosecond: 0 to 999,999,999.
    ///   - offsetMinutes: Minutes east of Greenwich, nil where unknown.
    public init(civilSeconds: Int64, nanosecond: Int = 0, offsetMinutes: Int? = nil) {
        let seconds = min(max(civilSeconds, Self.civilRange.lowerBound), Self.civilRange.upperBound)
        let dayNumber = Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
        let rest = Int(seconds) - dayNumber * 86_400
        (year, month, day) = Self.civil(day: dayNumber)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
        self.nanosecond = min(max(nanosecond, 0), 999_999_999)
        self.offsetMinutes = offsetMinutes
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that the leap day
    /// is the last of its year.
    static func civilDay(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func civil(day number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
