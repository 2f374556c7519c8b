/// A path as the file system knows it: bytes other than 0, in no particular encoding.
public struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// The bytes, without a terminating zero.
    public let bytes: [UInt8]

    /// The path of these bytes; what follows a zero byte is dropped.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes.prefix { $0 != 0 })
    }

    /// The path of a string's UTF-8.
    public init(_ string: String) {
        self.init(bytes: string.utf8)
    }

    /// The path as text; bytes that are no UTF-8 become U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are UTF-8, so that `description` loses nothing.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Whether the path begins at the root of the file system.
    public var isAbsolute: Bool { bytes.first == Self.slash }

    /// The part behind the last slash; a trailing slash does not count.
    public var lastComponent: FilePath {
        let trimmed = bytes.trimmingSuffix(Self.slash)
        guard let slash = trimmed.lastIndex(of: Self.slash) else { return FilePath(bytes: trimmed) }
        return FilePath(bytes: trimmed[(slash + 1)...])
    }

    /// The part before the last component, empty where there is none.
    public var parent: FilePath {
        let trimmed = bytes.trimmingSuffix(Self.slash)
        guard let slash = trimmed.lastIndex(of: Self.slash) else { return FilePath(bytes: []) }
        return FilePath(bytes: slash == trimmed.startIndex ? trimmed[...slash] : trimmed[..<slash])
    }

    /// The components between slashes, empty ones left out.
    public var components: [FilePath] {
        bytes.split(separator: Self.slash).map { FilePath(bytes: $0) }
    }

    /// The last component split at its last dot; a leading dot begins no extension.
    public var stemAndExtension: (stem: FilePath, extension: FilePath?) {
        let name = lastComponent.bytes
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot < name.count - 1 else {
            return (FilePath(bytes: name), nil)
        }
        return (FilePath(bytes: name[..<dot]), FilePath(bytes: name[(dot + 1)...]))
    }

    /// This path followed by `component`.
    public func appending(_ component: FilePath) -> FilePath {
        if bytes.isEmpty { return component }
        if component.bytes.isEmpty { return self }
        return FilePath(
            bytes: bytes.last == Self.slash ? bytes + component.bytes : bytes + [Self.slash] + component.bytes)
    }

    /// This path followed by a component of text.
    public func appending(_ component: String) -> FilePath { appending(FilePath(component)) }

    /// Calls `body` with the path as C wants it.
    public func withCString<Result, Failure>(_ body: (UnsafePointer<CChar>) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        let terminated = ContiguousArray(bytes) + [0]
        return try terminated.span.withUnsafeBufferPointer { buffer throws(Failure) in
            try buffer.withMemoryRebound(to: CChar.self) { characters throws(Failure) in
                guard let start = characters.baseAddress else {
                    preconditionFailure("a terminated path is never empty")
                }
                return try body(start)
            }
        }
    }

    private static let slash = UInt8(ascii: "/")
}

extension Array where Element == UInt8 {
    fileprivate func trimmingSuffix(_ byte: UInt8) -> ArraySlice<UInt8> {
        var end = endIndex
        while end > startIndex + 1, self[end - 1] == byte { end -= 1 }
        return self[..<end]
    }
}

extension FilePath: Comparable {
    /// Byte order.
    public static func < (a: FilePath, b: FilePath) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

extension FilePath: ExpressibleByStringInterpolation {
    /// The path of a literal.
    public init(stringLiteral value: String) { self.init(value) }
}
