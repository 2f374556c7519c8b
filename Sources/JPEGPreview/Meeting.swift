/// Where two streams that decode a scan from two places met.
package struct Meeting: Hashable, Sendable {
    /// How many units the second one had decoded to find its way.
    package let after: Int
    /// How many units it decoded behind those, which nobody had to decode again.
    package let units: Int
}
