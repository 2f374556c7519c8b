import Testing

@testable import Transfer

struct ExchangeTests {
    /// What comes of an answer to a request for the bytes 10 to 19.
    private static func exchange(_ status: Int, _ range: String?, body: Int, limit: Int = 1000) -> Exchange {
        let exchange = Exchange(.get(bytes: 10...19), limit: limit, mayBePrivate: true, isCalledOff: { false })
        var lines = ["HTTP/1.1 \(status) Words\r\n", "ETag: \"a\"\r\n"]
        if let range { lines.append("Content-Range: \(range)\r\n") }
        for line in lines + ["\r\n"] {
            if !exchange.receiveHeader(Array(line.utf8)) { return exchange }
        }
        for _ in 0..<body {
            if ![7].withUnsafeBytes({ exchange.receiveBody(UnsafeRawBufferPointer(rebasing: $0[..<1])) }) { break }
        }
        return exchange
    }

    @Test(
        "A part is the one that was asked for, and all of it",
        arguments: [
            (206, "bytes 10-19/30", 10, true), (206, "bytes 10-14/15", 5, true), (206, "bytes 10-19/20", 10, true),
            (206, "bytes 10-19/30", 9, false), (206, "bytes 10-19/30", 11, false), (206, "bytes 9-18/30", 10, false),
            (206, "bytes 10-20/30", 11, false), (206, "bytes 10-19/*", 10, false), (206, nil, 10, false),
            (206, "bytes 10-18/30", 9, false), (206, "words", 10, false), (200, "bytes 10-19/30", 10, false),
            (206, "bytes 10-19/-9223372036854775808", 10, false), (206, "bytes 10-19/-1", 10, false),
            (206, "bytes 10-19/+30", 10, false), (206, "bytes 10-19/9223372036854775808", 10, false),
            (206, "bytes 10-19/9223372036854775807", 10, false), (206, "bytes 10--1/0", 0, false),
            (206, "bytes 10-19/2000", 10, false), (206, "bytes 10-9/10", 0, false), (206, "bytes 10-5/6", 0, false),
        ] as [(Int, String?, Int, Bool)])
    func parts(status: Int, range: String?, body: Int, isRight: Bool) {
        #expect(Self.exchange(status, range, body: body).isPartAsked == isRight)
    }

    @Test("No more of a part is taken than was asked for, however much comes")
    func overlong() {
        let exchange = Self.exchange(206, "bytes 10-19/30", body: 500)
        #expect(exchange.body.count == 10)
        guard case .overlong = exchange.stop else {
            Issue.record("\(String(describing: exchange.stop))")
            return
        }
    }

    @Test("A total above the limit ends it before the body")
    func announced() {
        let exchange = Self.exchange(206, "bytes 10-19/30", body: 10, limit: 29)
        guard case .tooLarge(30) = exchange.stop else {
            Issue.record("\(String(describing: exchange.stop))")
            return
        }
        #expect(exchange.body.isEmpty)
    }

    @Test("Of what an error says a little is passed over, and none of it kept", arguments: [302, 404, 503])
    func errors(status: Int) {
        let short = Self.exchange(status, nil, body: Exchange.passLength)
        #expect(short.stop == nil && short.body.isEmpty && short.status == status)
        let long = Self.exchange(status, nil, body: Exchange.passLength + 1)
        guard case .unread = long.stop else {
            Issue.record("\(String(describing: long.stop))")
            return
        }
        #expect(long.status == status)
    }

    @Test(
        "A length that is no number of bytes is none", arguments: ["-1", "-9223372036854775808", "+5", "5x", "", " "])
    func lengths(text: String) {
        let exchange = Exchange(.get(bytes: nil), limit: 1000, mayBePrivate: true, isCalledOff: { false })
        for line in ["HTTP/1.1 200 OK\r\n", "Content-Length: \(text)\r\n", "\r\n"] {
            #expect(exchange.receiveHeader(Array(line.utf8)))
        }
        #expect(exchange.total == nil)
    }
}
