import Cameo

/// What `list --albums --json` prints for each album.
struct AlbumLine: Encodable {
    var album: String
    var smart: Bool
    var count: Int
    var key: String?

    init(_ album: Album) {
        self.album = album.title
        smart = album.isSmart
        count = album.count
        key = album.keyAsset?.value
    }
}
