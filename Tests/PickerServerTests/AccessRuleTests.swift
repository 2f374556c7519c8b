import Testing

@testable import PickerServer

struct AccessRuleTests {
    private static let rule: AccessRule? = {
        guard let token = try? Secret(), let session = try? Secret() else { return nil }
        return AccessRule(token: token, session: session, cookieName: "cameo-1234")
    }()

    private static func verdict(
        _ method: String = "GET", _ path: String = "/api/session", query: [String: String] = [:],
        cookie: String? = nil, headers: [(String, String)]
    ) throws -> AccessRule.Verdict {
        let rule = try #require(rule)
        var all = headers.map { (name: $0.0, value: $0.1) }
        all.append((name: "cookie", value: cookie ?? "other=1; cameo-1234=\(rule.session.text)"))
        return rule.verdict(on: HTTPRequest(method: method, path: path, query: query, headers: all))
    }

    @Test("Secrets are 64 characters, and no two are the same")
    func secrets() throws {
        let (a, b) = (try Secret(), try Secret())
        #expect(a.text.count == 64 && a.text != b.text)
        #expect(
            a.matches(a.text) && !a.matches(b.text) && !a.matches(nil) && !a.matches("") && !a.matches(a.text + "0"))
    }

    @Test(
        "This machine's names are answered, on any port, since a tunnel may have another",
        arguments: ["127.0.0.1", "127.0.0.1:1234", "localhost:9", "LOCALHOST:1234"])
    func ownHosts(host: String) throws {
        #expect(try Self.verdict(headers: [("host", host)]) == .allowed)
    }

    @Test(
        "Every other name is refused, whatever it looks like",
        arguments: [
            "evil.example", "evil.example:1234", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1@evil",
            "127.0.0.1:", "127.0.0.1:12x4", "", "0.0.0.0", "127.0.0.2", "[::1]:evil", "127.0.0.1.nip.io:1234",
            "localhost.", "localhost.:1234", "127.0.0.1:1234:80", "user@127.0.0.1:1234", " 127.0.0.1", "127.0.0.1:١٢",
            "2130706433", "0x7f.1", "127.1", "127.0.0.1,evil.example", "127.0.0.1:1234/", "rebind.evil.example:1234",
        ])
    func otherHosts(host: String) throws {
        #expect(try Self.verdict(headers: [("host", host)]) == .refused("not this host"))
    }

    @Test("No host, and two hosts, are refused")
    func hostCount() throws {
        #expect(try Self.verdict(headers: []) == .refused("not this host"))
        #expect(try Self.verdict(headers: [("host", "127.0.0.1"), ("host", "127.0.0.1")]) == .refused("not this host"))
    }

    @Test(
        "An origin that is not the very host is refused",
        arguments: [
            "http://evil.example", "null", "https://127.0.0.1:1234", "http://127.0.0.1", "http://127.0.0.1:12345",
            "http://localhost:1234", "",
        ])
    func origins(origin: String) throws {
        #expect(
            try Self.verdict(headers: [("host", "127.0.0.1:1234"), ("origin", origin)]) == .refused("another origin"))
    }

    @Test("What a browser says to come from another site is refused, even from this machine's other ports")
    func sites() throws {
        for site in ["cross-site", "same-site"] {
            #expect(
                try Self.verdict(headers: [("host", "127.0.0.1:1234"), ("sec-fetch-site", site)])
                    == .refused("another site"))
        }
        #expect(try Self.verdict(headers: [("host", "127.0.0.1:1234"), ("sec-fetch-site", "same-origin")]) == .allowed)
    }

    @Test("A link with the token may lead to the first page from anywhere, and to nothing else")
    func links() throws {
        let token = try #require(Self.rule).token.text
        let headers = [("host", "127.0.0.1:1234"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]
        #expect(try Self.verdict("GET", "/", query: ["token": token], cookie: "", headers: headers) == .admitted)
        #expect(
            try Self.verdict("GET", "/", query: ["token": token + "0"], headers: headers) == .refused("another site"))
        #expect(
            try Self.verdict("GET", "/api/session", query: ["token": token], cookie: "", headers: [headers[0]])
                == .refused("no token"))
        #expect(
            try Self.verdict(
                "GET", "/", query: ["token": token], headers: headers.dropLast() + [("sec-fetch-mode", "no-cors")])
                == .refused("another site"))
    }

    @Test("What changes something needs an origin, and JSON")
    func changes() throws {
        let host = ("host", "127.0.0.1:1234")
        let (origin, json) = (("origin", "http://127.0.0.1:1234"), ("content-type", "application/json"))
        #expect(try Self.verdict("POST", "/api/pick", headers: [host, origin, json]) == .allowed)
        #expect(try Self.verdict("POST", "/api/pick", headers: [host, json]) == .refused("no origin"))
        #expect(
            try Self.verdict("POST", "/api/pick", headers: [host, origin, ("content-type", "text/plain")])
                == .refused("not JSON"))
        #expect(try Self.verdict("DELETE", "/api/pick", headers: [host, json]) == .refused("no origin"))
    }

    @Test("A cookie that another page of this machine put before the right one does not hide it")
    func tossedCookies() throws {
        let session = try #require(Self.rule).session.text
        for cookie in [
            "cameo-1234=evil; cameo-1234=\(session)", "cameo-1234=\(session); cameo-1234=evil",
            "cameo-1234; cameo-1234=\(session)",
        ] {
            #expect(try Self.verdict(cookie: cookie, headers: [("host", "127.0.0.1:1234")]) == .allowed)
        }
    }

    @Test("A cookie of another server, a wrong one and none are refused")
    func cookies() throws {
        let session = try #require(Self.rule).session.text
        for cookie in ["", "cameo-1235=\(session)", "cameo-1234=\(session)0", "cameo-1234=", "xcameo-1234=\(session)"] {
            #expect(try Self.verdict(cookie: cookie, headers: [("host", "127.0.0.1:1234")]) == .refused("no token"))
        }
    }
}
