/// Gives places their names: filled by an app that has a gazetteer.
public protocol PlaceNaming: Sendable {
    /// What people call the surroundings of `place`; nil where nothing is known. Called for each title that is shown,
    /// so an answer that takes long is better kept.
    func name(of place: Place) -> String?
}
