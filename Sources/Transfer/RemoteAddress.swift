/// Where something lies that is reached by HTTP or in an S3 store: `https://host/path`, `s3://bucket/key`.
public struct RemoteAddress: Hashable, Sendable {
    /// Which kind of place.
    public enum Scheme: String, Sendable {
        /// By HTTP.
        case http
        /// By HTTP over TLS.
        case https
        /// In a bucket, by its key.
        case s3
    }

    /// How it is reached.
    public let scheme: Scheme
    /// The host with its port, or the bucket.
    public let host: String
    /// What follows the host, beginning with a slash, without the query. Percent-encoded but for S3.
    public let path: String
    /// What follows the question mark; it may hold a signature, and is never shown.
    public let query: String?

    /// Whether `text` begins like an address, so that it is no path.
    public static func isAddress(_ text: some StringProtocol) -> Bool {
        ["http://", "https://", "s3://"].contains { text.lowercased().hasPrefix($0) }
    }

    /// The address that `text` writes.
    ///
    /// - Throws: `TransferError.badAddress`. A user or a password in it is refused: credentials come from the
    ///   environment.
    public init(_ text: String) throws(TransferError) {
        guard let colon = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased())
        else { throw .badAddress("it is none of http, https and s3") }
        var rest = text[colon.upperBound...]
        if let fragment = rest.firstIndex(of: "#"), scheme != .s3 { rest = rest[..<fragment] }
        var query: String?
        if let mark = rest.firstIndex(of: "?"), scheme != .s3 {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = String(rest[..<slash])
        let path = slash == rest.endIndex ? "/" : String(rest[slash...])
        if host.contains("@") { throw .badAddress("user names and passwords do not belong into an address") }
        guard !host.isEmpty, Self.isClean(host) else { throw .badAddress("there is no host") }
        guard scheme != .s3 || Self.isBucket(host) else {
            throw .badAddress("a bucket's name is of 3 to 255 letters, digits, dots, hyphens and underscores")
        }
        guard scheme == .s3 || (Self.isClean(path) && Self.isClean(query ?? "")) else {
            throw .badAddress("it holds spaces, control characters or others that are to be percent-encoded")
        }
        self.init(scheme: scheme, host: host, path: path, query: query)
    }

    private init(scheme: Scheme, host: String, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.path = path
        self.query = query
    }

    /// The address without what may be secret, for results and messages.
    public var shown: String { "\(scheme.rawValue)://\(host)\(path)" }

    /// `shown` of what may be no proper address.
    public static func shown(_ text: String) -> String {
        if let address = try? RemoteAddress(text) { return address.shown }
        let bare = text.prefix { $0 != "?" && $0 != "#" }
        // What stands before an @ in the host is a name and a password.
        guard let start = bare.firstRange(of: "://")?.upperBound,
            let mark = bare[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        else { return String(bare) }
        return String(bare[..<start] + bare[bare.index(after: mark)...])
    }

    /// The place called `name`, with slashes, below this one. In a store, whose keys are text, what is no UTF-8 is
    /// percent-encoded, so that no two such names are one key.
    public func appending(_ name: [UInt8]) -> RemoteAddress {
        let base = path.hasSuffix("/") ? path : path + "/"
        let added = (scheme == .s3 ? String(validating: name, as: UTF8.self) : nil) ?? Self.encoded(name)
        return RemoteAddress(scheme: scheme, host: host, path: base + added, query: query)
    }

    /// The bytes as RFC 3986 has them in a path, slashes left as they are. What S3 signs is written like this too.
    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }

    /// Whether `text` may be a bucket's name, by the widest of Amazon's rules. It becomes a part of a host, to which a
    /// signature goes: nothing in it may end that part.
    private static func isBucket(_ text: String) -> Bool {
        (3...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func isClean(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") }
    }
}
