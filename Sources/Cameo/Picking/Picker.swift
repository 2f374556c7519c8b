import Dispatch
import Synchronization

/// Who picks what: the rules of picking, the selection, and the delivery of the result to whoever started it.
///
/// Any thread may call it. No lock is held while it calls its delegate, its library or anybody else, so they may call
/// it back. A picker that is released before it ends is cancelled: callbacks and readers are told.
public final class Picker: Sendable {
    /// What is offered, and when the picker may finish.
    public let configuration: PickerConfiguration

    let library: any AssetProviding
    let options: RenderOptions
    let faces: FaceSearch?

    /// Guards all that changes. Streams are fed while it is held, so that every reader sees the same order; nothing
    /// else is called.
    let state: Mutex<PickerState>

    /// A picker of what `library` has.
    ///
    /// What is preselected and not in the library is not in the selection; a cancel gives it back all the same.
    ///
    /// - Parameters:
    ///   - options: What is accepted when the picked pictures are rendered.
    ///   - faces: How a rendition of a picked asset that asks for faces finds them.
    public init(
        _ configuration: PickerConfiguration = PickerConfiguration(), library: any AssetProviding,
        delegate: (any PickerDelegate)? = nil, options: RenderOptions = RenderOptions(), faces: FaceSearch? = nil
    ) {
        self.configuration = configuration
        self.library = library
        self.options = options
        self.faces = faces
        var initial = PickerState(delegate: delegate)
        for id in configuration.preselected {
            if let asset = library.asset(for: id) { initial.insert(asset) }
        }
        state = Mutex(initial)
    }

    deinit {
        // Nobody else can hold the state any more; a delegate is not told, for there is no picker to name.
        let ending = state.withLock { $0.end(.cancelled(preselected: configuration.preselected)) }
        ending?.deliver()
    }

    /// The owner, which is held weakly.
    public var delegate: (any PickerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// What is picked now.
    public var selection: Selection { state.withLock { $0.selection } }

    /// How the picker ended; nil while it goes on.
    public var outcome: PickerOutcome? { state.withLock { $0.outcome } }

    /// The lists to choose from. Lists with nothing that the filter lets through are among them.
    public var groups: [AssetGroup] { library.groups(of: configuration.source) }

    /// What a list offers: the assets that pass the filter, in the list's order. O(assets).
    public func assets(in group: AssetGroup.ID) -> [Asset] {
        library.assetIDs(in: group).compactMap { library.asset(for: $0) }.filter(configuration.filter.passes)
    }
}
