/// Why there is no picker in a browser.
public enum PickerServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The port cannot be had, for the reason given.
    case cannotListen(port: Int, reason: String)
    /// The system gives no random numbers to make a secret of.
    case noRandomness(reason: String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            port == 0 ? "no port can be listened on: \(reason)" : "port \(port) cannot be listened on: \(reason)"
        case .noRandomness(let reason): "there are no random numbers: \(reason)"
        }
    }
}
