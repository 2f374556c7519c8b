/// What happens in a picker. A count is that of the selection at that time.
public enum PickerEvent: Sendable {
    /// An asset is about to be picked; nothing but the picker's end can prevent it. `count` is the count
    /// before.
    case willPick(Asset.ID, count: Int)
    /// An asset was picked; `count` is the count with it.
    case didPick(Asset.ID, count: Int)
    /// An asset is about to be dropped; `count` is the count with it.
    case willDrop(Asset.ID, count: Int)
    /// An asset was dropped; `count` is the count without it.
    case didDrop(Asset.ID, count: Int)
    /// An asset left the selection because the library no longer has it; `count` is the count without it.
    case didVanish(Asset.ID, count: Int)
    /// A pick was moved in the order.
    case didMove(Asset.ID, from: Int, to: Int)
    /// The picker has come to its end. Nothing follows.
    case finished(PickerOutcome)
}
