import CCurl
import Glibc
import Synchronization

/// Fetches from and stores to web servers and S3 stores, over connections that stay open.
///
/// Any number of threads may use one client; each of their calls waits for its end.
public final class TransferClient: Sendable {
    let options: TransferOptions
    private let s3 = S3Access()
    /// Handles that nobody uses just now.
    private let pool = Mutex<[CurlHandle]>([])

    /// Redirects that are followed one after the other.
    private static let redirectLimit = 5
    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    /// A client with these options, and the credentials that the environment has.
    public init(_ options: TransferOptions = TransferOptions()) { self.options = options }

    /// Stores `bytes`, whole or not at all where the server is as good as S3's.
    public func store(
        _ bytes: [UInt8], at address: RemoteAddress, type: String, isCalledOff: @escaping () -> Bool = { false }
    ) throws(TransferError) {
        let exchange = try request(
            .put(bytes), address, headers: ["Content-Type: \(type)"], limit: .max, isCalledOff: isCalledOff)
        guard (200..<300).contains(exchange.status) else { throw .status(exchange.status) }
    }

    /// Makes one request, again and again while there is hope.
    func request(
        _ method: Exchange.Method, _ address: RemoteAddress, headers: [String], limit: Int,
        accepts: @escaping ([UInt8]) -> Bool = { _ in true }, isCalledOff: @escaping () -> Bool
    ) throws(TransferError) -> Exchange {
        var attempt = 0
        while true {
            var wish: Double?
            let failure: TransferError
            do throws(TransferError) {
                let exchange = try follow(method, address, headers, limit, accepts, isCalledOff)
                let problem = TransferError.status(exchange.status)
                guard problem.isPassing, attempt < options.retries else { return exchange }
                failure = problem
                wish = exchange.headers["retry-after"].flatMap { Double($0) }
            } catch {
                failure = error
            }
            guard failure.isPassing, attempt < options.retries else { throw failure }
            attempt += 1
            try wait(Self.pause(after: attempt, backOff: options.backOff, wish: wish), isCalledOff)
        }
    }

    /// Seconds to wait after the failure of so many attempts: each time twice as long, 5 at most and not all clients at
    /// once; or what the server wishes for where that is more, 30 at most.
    static func pause(after attempts: Int, backOff: Double, wish: Double?) -> Double {
        let delay = min(5, backOff * Double(1 << min(attempts - 1, 30))) * Double.random(in: 0.75...1.25)
        return max(delay, min(wish ?? 0, 30))
    }

    private func wait(_ seconds: Double, _ isCalledOff: () -> Bool) throws(TransferError) {
        for _ in 0..<max(1, Int(seconds / 0.05)) {
            if isCalledOff() { throw .calledOff }
            usleep(50_000)
        }
    }

    /// Makes one request, and those that redirects lead to.
    private func follow(
        _ method: Exchange.Method, _ address: RemoteAddress, _ headers: [String], _ limit: Int,
        _ accepts: @escaping ([UInt8]) -> Bool, _ isCalledOff: @escaping () -> Bool
    ) throws(TransferError) -> Exchange {
        let isS3 = address.scheme == .s3
        var url = isS3 ? s3.url(of: address) : address.shown + (address.query.map { "?\($0)" } ?? "")
        var headers = headers
        let signing = isS3 ? s3.credentials.map { ("aws:amz:\(s3.region):s3", $0) } : nil
        if signing != nil {
            headers.append("x-amz-content-sha256: UNSIGNED-PAYLOAD")
            if let token = s3.token { headers.append("x-amz-security-token: \(token)") }
        }
        for hop in 0...Self.redirectLimit {
            let exchange = Exchange(
                method, limit: limit, mayBePrivate: hop == 0 || options.followsToPrivate, accepts: accepts,
                isCalledOff: isCalledOff)
            let handle = pool.withLock { $0.popLast() } ?? CurlHandle()
            let (code, target) = handle.perform(
                exchange, url: url, headers: headers, signing: signing, timeouts: options)
            pool.withLock { $0.append(handle) }
            try check(exchange, code)
            guard Self.redirects.contains(exchange.status) else { return exchange }
            guard case .get = method, !isS3 else { throw .redirect("only reading from the web follows") }
            // libcurl tells of the target at the end of the answer.
            if case .unread = exchange.stop { throw .redirect("by an answer that does not end") }
            guard let target, let next = try? RemoteAddress(target), next.scheme != .s3 else {
                throw .redirect("to no address that can be used")
            }
            if url.lowercased().hasPrefix("https:"), next.scheme == .http { throw .redirect("from https to http") }
            url = target
        }
        throw .redirect("more than \(Self.redirectLimit) times")
    }

    private func check(_ exchange: Exchange, _ code: CURLcode) throws(TransferError) {
        switch exchange.stop {
        case .calledOff: throw .calledOff
        case .tooLarge(let bytes): throw .tooLarge(bytes: bytes, limit: exchange.limit)
        case .privateAddress: throw .redirect("to a private address")
        case .refused, .overlong, .unread: return
        case nil: break
        }
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OK: return
        case CURLE_OPERATION_TIMEDOUT: throw .timedOut
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SEND_FAIL_REWIND:
            throw .brokenOff(reason)
        case CURLE_PEER_FAILED_VERIFICATION: throw .badAddress("its certificate is not trusted")
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: throw .badAddress(reason)
        default: throw .unreachable(reason)
        }
    }
}
