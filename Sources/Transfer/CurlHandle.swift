import CCurl
import Glibc

/// One of libcurl's handles, with the connections that it keeps open.
///
/// `@unchecked Sendable`: it is in the client's pool or with one thread, never both.
final class CurlHandle: @unchecked Sendable {
    private let handle: OpaquePointer?

    private static let isStarted: Bool = {
        ccurl_start()
        return true
    }()

    init() {
        handle = Self.isStarted ? OpaquePointer(curl_easy_init()) : nil
    }

    deinit { curl_easy_cleanup(UnsafeMutableRawPointer(handle)) }

    /// What libcurl says of the request, and where its answer redirects to.
    func perform(
        _ exchange: Exchange, url: String, headers: [String], signing: (provider: String, credentials: String)?,
        timeouts: TransferOptions
    ) -> (code: CURLcode, redirect: String?) {
        guard let handle = UnsafeMutableRawPointer(handle) else { return (CURLE_FAILED_INIT, nil) }
        curl_easy_reset(handle)
        ccurl_set_text(handle, CURLOPT_URL, url)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(timeouts.connectSeconds * 1000))
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(timeouts.stallSeconds)))
        ccurl_set_text(handle, CURLOPT_USERAGENT, "cameo")
        // A proxy would hide where a stranger's redirect leads to.
        if !exchange.mayBePrivate || !timeouts.usesProxies { ccurl_set_text(handle, CURLOPT_PROXY, "") }
        // Credentials come from the environment alone, and a .netrc is none.
        ccurl_set_number(handle, CURLOPT_NETRC, 0)
        if let signing {
            ccurl_set_text(handle, CURLOPT_AWS_SIGV4, signing.provider)
            ccurl_set_text(handle, CURLOPT_USERPWD, signing.credentials)
        }
        switch exchange.method {
        case .get(let range):
            if let range { ccurl_set_text(handle, CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound)") }
        case .put(let bytes):
            ccurl_set_number(handle, CURLOPT_UPLOAD, 1)
            ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes.count))
        }
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers { list = curl_slist_append(list, header) }
        defer { curl_slist_free_all(list) }
        ccurl_set_headers(handle, list)
        Self.connect(handle, to: exchange)
        let code = withExtendedLifetime(exchange) { curl_easy_perform(handle) }
        return (code, ccurl_redirect(handle).map { String(cString: $0) })
    }

    /// Has the callbacks told to `exchange`, which outlives the transfer.
    private static func connect(_ handle: UnsafeMutableRawPointer, to exchange: Exchange) {
        ccurl_set_callbacks(
            handle, Unmanaged.passUnretained(exchange).toOpaque(),
            { bytes, size, count, context in
                guard let bytes, let exchange = running(context) else { return 0 }
                let line = Array(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return exchange.receiveHeader(line) ? size * count : 0
            },
            { bytes, size, count, context in
                guard let exchange = running(context) else { return 0 }
                return exchange.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                    ? size * count : size * count + 1
            },
            { room, size, count, context in
                guard let room, let exchange = running(context) else { return ccurl_abort_upload }
                return exchange.send(UnsafeMutableRawBufferPointer(start: room, count: size * count))
            },
            { context, _, _, _, _ in
                guard let exchange = running(context), exchange.isCalledOff() else { return 0 }
                exchange.stop = .calledOff
                return 1
            },
            { context, _, address in
                guard let exchange = running(context), let address else { return ccurl_no_socket }
                // Not even a knock at the door of what must not be reached.
                let isAllowed = withUnsafePointer(to: &address.pointee.addr) { name in
                    exchange.mayConnect(toPrivate: AddressRange.isPrivate(name))
                }
                guard isAllowed else { return ccurl_no_socket }
                return socket(
                    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                    address.pointee.protocol)
            },
            { context, name, _, _, _ in
                // A connection that is still open from elsewhere passes here too.
                guard let exchange = running(context), let name else { return CURL_PREREQFUNC_ABORT }
                let isPrivate = AddressRange.isPrivate(String(cString: name))
                return exchange.mayConnect(toPrivate: isPrivate) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
    }
}

private func running(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}
