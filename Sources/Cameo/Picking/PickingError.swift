/// Why the picking layer does not do what it was asked to.
public enum PickingError: Error, Hashable, Sendable {
    /// The asset is in the selection already.
    case alreadyPicked(Asset.ID)
    /// The selection is full.
    case limitReached(limit: Int)
    /// The library has no such asset, or the picker's filter keeps it out.
    case notOffered(Asset.ID)
    /// The owner does not want it.
    case vetoed(Asset.ID)
    /// The picker has finished, or was cancelled.
    case finished
    /// Finishing has to wait until assets are dropped: `count` are picked, `limit` are allowed.
    case tooMany(count: Int, limit: Int)
    /// Finishing has to wait until more is picked: `count` are picked, `minimum` are needed.
    case tooFew(count: Int, minimum: Int)
    /// The order of the selection means nothing in this picker, so there is nothing to move.
    case notOrdered
    /// A position that the selection does not have.
    case noSuchPosition(Int)
    /// The picture is no longer the one that the crop was made on.
    case changed(Asset.ID)
    /// An editing step or a grid of this geometry is impossible.
    case invalidGeometry(reason: String)
    /// The picture could not be made; a cancelled task ends with `RenderError.cancelled`.
    case render(RenderError)
}

extension PickingError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .alreadyPicked(let id): "\(id) is already picked"
        case .limitReached(let limit): "no more than \(limit) can be picked"
        case .notOffered(let id): "\(id) is not among what can be picked"
        case .vetoed(let id): "\(id) may not be picked"
        case .finished: "the picking is over"
        case .tooMany(let count, let limit): "\(count) are picked, no more than \(limit) are allowed"
        case .tooFew(let count, let minimum): "\(count) are picked, at least \(minimum) are needed"
        case .notOrdered: "the selection has no order to change"
        case .noSuchPosition(let position): "the selection has no position \(position)"
        case .changed(let id): "\(id) is another picture than the one that was cropped"
        case .invalidGeometry(let reason): reason
        case .render(let error): error.description
        }
    }
}
