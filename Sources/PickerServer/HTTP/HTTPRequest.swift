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

    /// The values of all cookies of a name. There may be several: a page on another port of this machine can set one
    /// for a longer path, which then comes first.
    func cookies(_ name: String) -> [String] {
        headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].drop(while: { $0 == " " }) == name ? String(parts[1]) : nil
        }
    }

    /// What stands between the slashes.
    var components: [Substring] { Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()) }
}
