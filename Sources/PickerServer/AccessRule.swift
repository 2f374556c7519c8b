/// Who is answered: the browser that was given the address with the token, from the server's own page.
struct AccessRule: Sendable {
    enum Verdict: Hashable, Sendable {
        case allowed
        /// The token of the first address is good; the answer sets the cookie.
        case admitted
        case refused(String)
    }

    /// Stands in the first address.
    let token: Secret
    /// What the cookie holds.
    let session: Secret
    /// Cookies are shared by all ports of a host, so each server has a name of its own.
    let cookieName: String

    /// Whether `request` is answered.
    ///
    /// Its host must be this machine by name or number, so that no name that an attacker's DNS points here will do;
    /// any port will, since a tunnel may have another at its other end. An origin must be the very host that is asked.
    /// What a browser says to come from another site is refused, except that a link may lead to the first page.
    func verdict(on request: HTTPRequest) -> Verdict {
        guard let host = request.header("host"), Self.isLocal(host) else { return .refused("not this host") }
        if request.has("origin"), request.header("origin") != "http://\(host)" { return .refused("another origin") }
        let isFirstPage = request.path == "/" && (request.method == "GET" || request.method == "HEAD")
        let isToken = isFirstPage && token.matches(request.query["token"])
        if let site = request.header("sec-fetch-site"), site != "same-origin", site != "none",
            !(isToken && request.header("sec-fetch-mode") == "navigate")
        {
            return .refused("another site")
        }
        if request.method != "GET", request.method != "HEAD" {
            guard request.has("origin") else { return .refused("no origin") }
            guard request.header("content-type")?.hasPrefix("application/json") == true else {
                return .refused("not JSON")
            }
        }
        if isToken { return .admitted }
        return request.cookies(cookieName).contains { session.matches($0) } ? .allowed : .refused("no token")
    }

    /// The header that makes a browser remember that it was admitted, until it is closed.
    var cookie: String { "\(cookieName)=\(session.text); Path=/; HttpOnly; SameSite=Strict" }

    private static func isLocal(_ host: String) -> Bool {
        let parts = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) && !parts[1].isEmpty else {
            return false
        }
        return parts[0] == "127.0.0.1" || parts[0].lowercased() == "localhost"
    }
}
