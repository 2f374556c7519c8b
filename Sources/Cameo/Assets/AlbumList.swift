/// The albums of a library: the smart ones, then a folder each in the order of their paths.
public struct AlbumList: ItemList {
    /// What the list is of.
    public typealias Item = Album

    /// What stands above the list.
    public let title = "Albums"
    /// Whether albums without assets are in it.
    public let includesEmpty: Bool

    let albums: [Album]
    let library: AssetLibrary?

    /// 0.
    public var startIndex: Int { 0 }
    /// How many albums there are.
    public var endIndex: Int { albums.count }
    /// The album at `index`. O(1).
    public subscript(index: Int) -> Album { albums[index] }

    /// The albums as the library has them now. Waits for a scan that runs. O(albums).
    public func updated() async -> AlbumList {
        guard let library else { return self }
        return await library.settled().albums(includingEmpty: includesEmpty, of: library)
    }
}
