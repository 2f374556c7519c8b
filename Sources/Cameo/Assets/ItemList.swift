/// A titled list of things that a picker shows: albums, or the assets of one.
///
/// Subscripts cost O(1), so a grid of any length can ask for what it shows.
public protocol ItemList: RandomAccessCollection, Sendable where Index == Int {
    /// What the list is of.
    associatedtype Item = Element

    /// What stands above the list.
    var title: String { get }

    /// The list as the library has it now.
    func updated() async -> Self
}
