/// The owner of a picker: it may refuse picks, and it is told what happens.
///
/// It is called on the thread that called the picker, at once and with no lock held, so it may call the picker. Calls
/// for one pick come in order; when several threads pick, theirs come between.
public protocol PickerDelegate: AnyObject, Sendable {
    /// Whether `asset` may be picked when `count` are. It is asked only where nothing else refuses, and should not
    /// depend on how often it is asked: a grid asks for every cell that it shows.
    func picker(_ picker: Picker, mayPick asset: Asset, count: Int) -> Bool

    /// Something happened. The end comes here too, as `.finished`, exactly once.
    func picker(_ picker: Picker, did event: PickerEvent)
}

extension PickerDelegate {
    /// Everything may be picked.
    public func picker(_ picker: Picker, mayPick asset: Asset, count: Int) -> Bool { true }
    /// Nothing is done.
    public func picker(_ picker: Picker, did event: PickerEvent) {}
}
