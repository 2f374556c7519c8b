/// What was noticed while a picture was decoded all the same.
package struct Findings: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The data ends before the picture does; what is missing is mid-grey, as libjpeg has it.
    package static let truncated = Findings(rawValue: 1)
    /// A code that no table has, coefficients beyond the 64th, or restart markers out of order.
    package static let damaged = Findings(rawValue: 2)
    /// Bytes between segments, or a header that breaks a rule without consequences.
    package static let irregular = Findings(rawValue: 4)
}
