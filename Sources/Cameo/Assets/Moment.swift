/// Assets that belong together: taken on one day, by the clock where they were taken, and near each other.
public struct Moment: Identifiable, Hashable, Sendable {
    /// A civil day.
    public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// Days since 1970-01-01.
        public let number: Int

        /// `2026-05-01`.
        public var description: String {
            String(CaptureDate(civilSeconds: Int64(number) * 86_400).description.prefix(10))
        }

        /// `1 May 2026`.
        public var title: String {
            let (year, month, day) = CaptureDate.civil(day: number)
            return "\(day) \(Self.months[month - 1]) \(year)"
        }

        /// The earlier day first.
        public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

        private static let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
    }

    /// The identifier of its earliest asset.
    public let id: Asset.ID
    /// The day on which all of its assets were taken.
    public let day: Day
    /// Where its first asset with a place was taken.
    public let place: Place?
    /// What stands above it: the day, behind the place's name where one is known.
    public let title: String
    /// Its assets, in the order of the list.
    public let assets: MomentAssets
}
