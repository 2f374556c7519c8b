import Cameo

/// How outputs are named after their input.
struct NameTemplate: Hashable {
    private enum Part: Hashable {
        case text(String)
        case name, fileExtension, size, scale
    }

    private let parts: [Part]

    /// The input's name, with the size where there are several and the scale where it is not 1.
    static let standard = NameTemplate(parts: [])

    private init(parts: [Part]) { self.parts = parts }

    init(_ text: String) throws(UsageError) {
        var parts: [Part] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(of: "{") {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            guard let end = rest[brace...].firstIndex(of: "}") else {
                throw UsageError(message: "'\(text)' has a { without a }")
            }
            switch rest[rest.index(after: brace)..<end] {
            case "name": parts.append(.name)
            case "ext": parts.append(.fileExtension)
            case "size": parts.append(.size)
            case "scale": parts.append(.scale)
            default: throw UsageError(message: "'\(rest[brace...end])' is none of {name}, {ext}, {size}, {scale}")
            }
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        if text.isEmpty || text.contains("/") || text.hasPrefix(".") {
            throw UsageError(message: "a name is not empty, has no / and does not begin with a dot")
        }
        self.parts = parts
    }

    /// The name of one output, without an extension. `isDistinct` keeps the input's extension inside it.
    func stem(of input: FilePath, _ output: BatchSettings.Output, isDistinct: Bool) -> FilePath {
        let (stem, fileExtension) = input.stemAndExtension
        let name = isDistinct ? input.lastComponent.bytes : stem.bytes
        if parts.isEmpty { return FilePath(bytes: name + output.suffix.utf8) }
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .text(let text): bytes += text.utf8
            case .name: bytes += stem.bytes
            case .fileExtension: bytes += fileExtension?.bytes ?? []
            case .size: bytes += "\(output.rendition.size.width)x\(output.rendition.size.height)".utf8
            case .scale: bytes += String(output.scale).utf8
            }
        }
        if isDistinct, !parts.contains(.name) || !parts.contains(.fileExtension) {
            bytes += "-".utf8 + input.lastComponent.bytes
        }
        return FilePath(bytes: bytes)
    }
}
