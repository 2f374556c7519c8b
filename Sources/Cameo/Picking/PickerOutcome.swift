/// How a picker ended.
public enum PickerOutcome: Sendable {
    /// The picks, in pick order.
    case picked([PickedAsset])
    /// Nothing was changed: the preselected identifiers as they were given, all of them.
    case cancelled(preselected: [Asset.ID])

    /// The picks, none after a cancel.
    public var assets: [PickedAsset] {
        switch self {
        case .picked(let assets): assets
        case .cancelled: []
        }
    }

    /// Whether it was called off.
    public var isCancelled: Bool {
        switch self {
        case .picked: false
        case .cancelled: true
        }
    }

    /// What is selected now, for whoever started the picker: the picks, or after a cancel what was preselected.
    public var ids: [Asset.ID] {
        switch self {
        case .picked(let assets): assets.map(\.id)
        case .cancelled(let preselected): preselected
        }
    }
}
