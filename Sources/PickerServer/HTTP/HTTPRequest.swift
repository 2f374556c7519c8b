/// A request as it came in, in whole.
struct HTTPRequest: Sendable {
    /// `GET`, `POST`, …
    let method: String
    /// The path, percent escapes undone, without its query.
    let path: String
    /// The query, percent escapes undone. Of a name that comes twice, the first value counts.
    let query: [String: String]
    /// Names in lower case, in the order in which they came.
    let headers: [(name: String, value: String)]
    var body: [UInt8] = []

    /// The value of a header that comes once; nil where it does not come, or comes more often.
    func header(_ name: String) -> String? {
        let found = headers.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// Whether a header comes at all.
    func has(_ name: String) -> Bool { headers.contains { $0.name == name } }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        for header in headers where header.name == "cookie" {
            for pair in header.value.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
            }
        }
        return nil
    }

    /// What stands between the slashes.
    var components: [Substring] { Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()) }
}
