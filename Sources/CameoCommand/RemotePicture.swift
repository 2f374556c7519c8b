import Cameo
import Transfer

/// A picture at an address, of which no more is read than it takes.
struct RemotePicture {
    let address: RemoteAddress
    let client: TransferClient
    let options: RenderOptions
    let isCalledOff: () -> Bool

    /// Reads what `demand` asks for, told the first bytes and how many there are in all; nothing beyond the first bytes
    /// of what would be refused, as `refusal` then tells.
    func fetch(_ demand: @escaping ([UInt8], Int) -> SourceDemand) throws(TransferError) -> Fetched {
        let (name, options) = (address.shown, options)
        return try client.fetch(
            address, limit: options.limits.bytes,
            demand: { head, count in
                if OpenedImage.refusal(ofHead: head, named: name, options: options) != nil { return .nothing }
                // What comes at once comes whole.
                guard let count else { return .whole }
                return switch demand(head, count) {
                case .whole: .whole
                case .head(let wanted): .head(wanted)
                case .enough(let tail): .enough(tail: tail)
                }
            }, isCalledOff: isCalledOff)
    }

    /// Reads what is missing of what was fetched in parts.
    func complete(_ fetched: Fetched) throws(TransferError) -> Fetched {
        try client.complete(fetched, of: address, limit: options.limits.bytes, isCalledOff: isCalledOff)
    }

    /// Why no more was fetched; nil where it was what was asked for.
    func refusal(of fetched: Fetched) -> RenderError? {
        fetched.isWhole ? nil : OpenedImage.refusal(ofHead: fetched.bytes, named: address.shown, options: options)
    }

    /// What was fetched, to be opened.
    func source(_ fetched: Fetched) -> ImageSource {
        if let count = fetched.count,
            let parts = SparseBytes(head: fetched.bytes, tail: fetched.tail, count: count)
        {
            return .sparse(parts, name: address.shown)
        }
        return .bytes(fetched.bytes, name: address.shown)
    }
}

extension ResultLine.Failure {
    /// Why nothing could be fetched from `address`.
    init(_ error: TransferError, of address: RemoteAddress) {
        let kind =
            switch error {
            case .timedOut, .calledOff: "timedOut"
            case .tooLarge: "tooLarge"
            default: "unreadable"
            }
        let isPassing = error.isPassing || error == .calledOff
        // Nobody calls it off but the clock.
        let reason = error == .calledOff ? "not done in time" : "\(error)"
        self.init(kind, stage: .fetch, "\(address.shown): \(reason)", retryable: isPassing)
    }
}
