import CCurl
import Glibc

/// One request and what comes of it, while libcurl works on it.
///
/// It belongs to the thread that performs it; libcurl's callbacks come on that thread.
final class Exchange {
    enum Method {
        case get(bytes: ClosedRange<Int>?)
        case put([UInt8])
    }

    /// Why a callback stopped the transfer.
    enum Stop {
        case calledOff, tooLarge(bytes: Int?), privateAddress, refused
        /// More came than the part that was asked for.
        case overlong
        /// The status says it all, and what follows is too long to be passed over.
        case unread
    }

    let method: Method
    let limit: Int
    let mayBePrivate: Bool
    let isCalledOff: () -> Bool
    /// Looks at the first bytes of a body that comes whole; false stops it.
    let accepts: ([UInt8]) -> Bool

    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var stop: Stop?
    private var isLookedAt = false
    private var passedOver = 0
    private var sent = 0

    /// What has to be there before a body is looked at.
    static let lookLength = 4096
    /// The most that is passed over, for the connection to stay open: errors and redirects are far shorter.
    static let passLength = 64 << 10

    init(
        _ method: Method, limit: Int, mayBePrivate: Bool, accepts: @escaping ([UInt8]) -> Bool = { _ in true },
        isCalledOff: @escaping () -> Bool
    ) {
        self.method = method
        self.limit = limit
        self.mayBePrivate = mayBePrivate
        self.accepts = accepts
        self.isCalledOff = isCalledOff
    }

    /// The size of the whole resource: what a part's Content-Range says, or the length of a whole body.
    var total: Int? {
        if let range = headers["content-range"] { return range.split(separator: "/").last.flatMap(Self.count) }
        return status == 206 ? nil : headers["content-length"].flatMap(Self.count)
    }

    /// A number of bytes as servers write it (RFC 9110, 8.6): digits and nothing else.
    private static func count(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// Whether what came is the part of the resource that was asked for, and all of it.
    var isPartAsked: Bool {
        guard status == 206, stop == nil, case .get(let range?) = method, let total,
            let span = headers["content-range"]?.split(separator: " ").last?.prefix(while: { $0 != "/" })
        else { return false }
        let last = min(range.upperBound, total - 1)
        return !body.isEmpty && span == "\(range.lowerBound)-\(last)" && body.count == last - range.lowerBound + 1
    }

    /// A line of the header. False stops the transfer.
    func receiveHeader(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // A header of its own: what came before was an interim answer.
            (headers, body, passedOver) = ([:], [], 0)
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return true
        }
        guard let colon = text.firstIndex(of: ":") else {
            // The empty line at the end.
            if (200..<300).contains(status), let total, total > limit {
                stop = .tooLarge(bytes: total)
                return false
            }
            return true
        }
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        headers[text[..<colon].lowercased()] = String(value.prefix { !$0.isNewline })
        return true
    }

    /// A piece of the body. False stops the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The body of an error is not read, only passed over, and so is what a store says of what it has taken.
        guard case .get = method, (200..<300).contains(status) else {
            passedOver += bytes.count
            if passedOver > Self.passLength { stop = .unread }
            return stop == nil
        }
        if body.count + bytes.count > limit {
            stop = .tooLarge(bytes: nil)
            return false
        }
        if status == 206, case .get(let range?) = method, body.count + bytes.count > range.count {
            stop = .overlong
            return false
        }
        body += bytes
        if !isLookedAt, body.count >= Self.lookLength {
            isLookedAt = true
            if !accepts(body) {
                stop = .refused
                return false
            }
        }
        return true
    }

    /// Fills `room` with what is to be sent next; the number of bytes.
    func send(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard case .put(let bytes) = method else { return 0 }
        let count = min(room.count, bytes.count - sent)
        room.copyBytes(from: bytes[sent..<sent + count])
        sent += count
        return count
    }

    func mayConnect(toPrivate isPrivate: Bool) -> Bool {
        if isPrivate, !mayBePrivate {
            stop = .privateAddress
            return false
        }
        return true
    }
}
