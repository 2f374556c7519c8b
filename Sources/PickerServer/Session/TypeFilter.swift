import Cameo

/// Which type of asset a list is narrowed to, as the page and the command line say it.
public enum TypeFilter: String, CaseIterable, Sendable {
    case image, video, live, panorama, screenshot, animated, raw

    /// The smart album that holds what passes; nil for images, which are all that is no video.
    var album: SmartAlbum? {
        switch self {
        case .image: nil
        case .video: .videos
        case .live: .livePhotos
        case .panorama: .panoramas
        case .screenshot: .screenshots
        case .animated: .animated
        case .raw: .raw
        }
    }

    /// The picker's rule for it.
    public var filter: AssetFilter {
        switch self {
        case .image: .images
        case .video: .videos
        case .live: .subtypes(.live)
        case .panorama: .subtypes(.panorama)
        case .screenshot: .subtypes(.screenshot)
        case .animated: .subtypes(.animated)
        case .raw: .subtypes(.raw)
        }
    }
}
