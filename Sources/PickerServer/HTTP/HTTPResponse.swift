import FoundationEssentials

/// What is answered.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Goes on until the stream is closed or the client has gone.
        case events(EventStream)
    }

    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body

    init(_ status: Int, type: String? = nil, _ bytes: [UInt8] = [], headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = headers
        if let type { self.headers.append(("Content-Type", type)) }
        body = .bytes(bytes)
    }

    /// A sentence for people, or for whoever debugs.
    static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status, type: "text/plain; charset=utf-8", Array((text + "\n").utf8)).uncached
    }

    /// A value as JSON, never kept by anybody.
    static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(value) else { return .text(500, "the answer cannot be written") }
        return HTTPResponse(status, type: "application/json", Array(data)).uncached
    }

    /// What happens from now on, as server-sent events.
    static func events(_ stream: EventStream) -> HTTPResponse {
        var response = HTTPResponse(200, type: "text/event-stream").uncached
        response.body = .events(stream)
        return response
    }

    var uncached: HTTPResponse { with("Cache-Control", "no-store") }

    func with(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.headers.append((name, value))
        return response
    }
}
