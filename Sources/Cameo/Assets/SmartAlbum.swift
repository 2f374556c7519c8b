/// An album that holds what fits, wherever it lies.
public enum SmartAlbum: Int, CaseIterable, Codable, Sendable {
    /// Everything, by date.
    case recents
    /// Films, those of Live Photos left out.
    case videos
    /// Photos with a film of the same moment.
    case livePhotos
    /// Very wide or very tall photos.
    case panoramas
    /// Pictures of screens.
    case screenshots
    /// Pictures of several frames.
    case animated
    /// Cameras' raw data, alone or beside a JPEG.
    case raw

    /// What stands above it.
    public var title: String {
        switch self {
        case .recents: "Recents"
        case .videos: "Videos"
        case .livePhotos: "Live Photos"
        case .panoramas: "Panoramas"
        case .screenshots: "Screenshots"
        case .animated: "Animated"
        case .raw: "RAW"
        }
    }

    func holds(_ record: FileRecord) -> Bool {
        let subtypes = Asset.Subtypes(rawValue: Int(record.subtypes))
        return switch self {
        case .recents: true
        case .videos: record.form == .film
        case .livePhotos: subtypes.contains(.live)
        case .panoramas: subtypes.contains(.panorama)
        case .screenshots: subtypes.contains(.screenshot)
        case .animated: subtypes.contains(.animated)
        case .raw: subtypes.contains(.raw)
        }
    }
}
