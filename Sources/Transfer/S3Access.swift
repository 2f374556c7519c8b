import Glibc

/// How S3 stores are reached: what the environment says, as other tools understand it.
struct S3Access: Sendable {
    /// An S3-compatible server; nil for Amazon's.
    let endpoint: String?
    let region: String
    /// Key and secret; nil for stores that are open to all.
    let credentials: String?
    let token: String?

    /// Reads `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`, `AWS_REGION` or `AWS_DEFAULT_REGION`, `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
    init(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        func first(_ names: String...) -> String? { names.lazy.compactMap(variable).first { !$0.isEmpty } }
        let server = first("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
        endpoint = server.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        region = first("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
        let key = first("AWS_ACCESS_KEY_ID")
        credentials = key.flatMap { key in first("AWS_SECRET_ACCESS_KEY").map { "\(key):\($0)" } }
        token = first("AWS_SESSION_TOKEN")
    }

    /// Where an object is reached by HTTP. Buckets with a dot do not fit into Amazon's certificates as hosts.
    func url(of address: RemoteAddress) -> String {
        let key = RemoteAddress.encoded(address.path.utf8)
        if let endpoint { return "\(endpoint)/\(address.host)\(key)" }
        if address.host.contains(".") { return "https://s3.\(region).amazonaws.com/\(address.host)\(key)" }
        return "https://\(address.host).s3.\(region).amazonaws.com\(key)"
    }
}
