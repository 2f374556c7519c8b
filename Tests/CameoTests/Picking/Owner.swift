import Synchronization

@testable import Cameo

/// A delegate that writes down what it is asked and told.
final class Owner: PickerDelegate {
    private let asked = Mutex<[Asset.ID]>([])
    private let told = Mutex<[String]>([])
    private let vetoed: Set<Asset.ID>
    private let reaction: (@Sendable (Picker, PickerEvent) -> Void)?

    init(vetoing vetoed: Set<Asset.ID> = [], reaction: (@Sendable (Picker, PickerEvent) -> Void)? = nil) {
        self.vetoed = vetoed
        self.reaction = reaction
    }

    var questions: [Asset.ID] { asked.withLock { $0 } }
    var events: [String] { told.withLock { $0 } }

    func picker(_ picker: Picker, mayPick asset: Asset, count: Int) -> Bool {
        asked.withLock { $0.append(asset.id) }
        return !vetoed.contains(asset.id)
    }

    func picker(_ picker: Picker, did event: PickerEvent) {
        told.withLock { $0.append(event.summary) }
        reaction?(picker, event)
    }
}

extension PickerEvent {
    /// The event in a few letters.
    var summary: String {
        switch self {
        case .willPick(let id, let count): "will pick \(id), \(count)"
        case .didPick(let id, let count): "did pick \(id), \(count)"
        case .willDrop(let id, let count): "will drop \(id), \(count)"
        case .didDrop(let id, let count): "did drop \(id), \(count)"
        case .didVanish(let id, let count): "vanished \(id), \(count)"
        case .didMove(let id, let source, let target): "moved \(id) \(source)→\(target)"
        case .finished(let outcome): outcome.isCancelled ? "cancelled" : "finished \(outcome.assets.count)"
        }
    }
}
