/// Why something could not be fetched or stored. None of it holds an address or a credential.
public enum TransferError: Error, Hashable, Sendable {
    /// No address that can be reached; the reason says why.
    case badAddress(String)
    /// The host does not answer, or the connection could not be made.
    case unreachable(String)
    /// The connection ended before everything was there.
    case brokenOff(String)
    /// The server answered with this status.
    case status(Int)
    /// Nothing came for too long.
    case timedOut
    /// More bytes than the limit, which is told.
    case tooLarge(bytes: Int?, limit: Int)
    /// A redirect that is not followed; the reason says why.
    case redirect(String)
    /// The caller does not want it any more.
    case calledOff

    /// Whether the same may go well another time.
    public var isPassing: Bool {
        switch self {
        case .unreachable, .brokenOff, .timedOut: true
        case .status(let status): Self.passing.contains(status)
        case .badAddress, .tooLarge, .redirect, .calledOff: false
        }
    }

    /// Statuses that tell of the server's trouble and not of the request.
    private static let passing: Set<Int> = [408, 429, 500, 502, 503, 504]
}

extension TransferError: CustomStringConvertible {
    /// Words for people, without a beginning.
    public var description: String {
        switch self {
        case .badAddress(let reason): "no address that can be used: \(reason)"
        case .unreachable(let reason): "cannot be reached: \(reason)"
        case .brokenOff(let reason): "broken off: \(reason)"
        case .status(let status): "the server answered \(status)"
        case .timedOut: "nothing came for too long"
        case .tooLarge(let bytes?, let limit): "too large: \(bytes) bytes, the limit is \(limit)"
        case .tooLarge(nil, let limit): "too large: the limit is \(limit) bytes"
        case .redirect(let reason): "redirected: \(reason)"
        case .calledOff: "called off"
        }
    }
}
