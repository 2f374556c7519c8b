/// Which part of a picture a fill crop keeps.
public enum Focus: Hashable, Codable, Sendable {
    /// The middle.
    case centre
    /// Centred across, with a fifth of the spare height above the crop: where a head usually is.
    case upper
    /// Centred across, at the upper edge.
    case top
    /// Where libvips finds edges, skin tones and saturated colours.
    case attention
    /// The part with the most detail.
    case entropy
    /// The faces that a renderer's `FaceSearch` finds; what `fallback` says where it finds none, or where there is none.
    case faces(fallback: Fallback = .attention, framing: Framing = .head)
    /// A point in upright pixels, which the crop has in its middle as far as the picture's edges allow.
    case point(x: Int, y: Int)
    /// A rectangle in upright pixels. A fill takes the largest part of it that has the rendition's aspect.
    case rectangle(PixelRect)

    /// What a crop keeps of a picture without a face.
    public enum Fallback: String, Hashable, Codable, Sendable, CaseIterable {
        case centre, upper, top, attention, entropy
    }

    /// How much is kept around a face.
    public enum Framing: String, Hashable, Codable, Sendable {
        /// The head and some room, as a profile picture shows it.
        case head
        /// As much of the picture as the size's aspect allows.
        case picture
    }

    /// The same focus with another framing of faces.
    public func framed(_ framing: Framing) -> Focus {
        if case .faces(let fallback, _) = self { .faces(fallback: fallback, framing: framing) } else { self }
    }
}

extension Focus.Fallback {
    /// The focus of the same name.
    var focus: Focus {
        switch self {
        case .centre: .centre
        case .upper: .upper
        case .top: .top
        case .attention: .attention
        case .entropy: .entropy
        }
    }
}

extension Focus: CustomStringConvertible {
    /// The focus as the command line writes it, which has no word for the framing.
    public var description: String {
        switch self {
        case .centre: "centre"
        case .upper: "upper"
        case .top: "top"
        case .attention: "attention"
        case .entropy: "entropy"
        case .faces(let fallback, _):
            fallback == .attention ? "faces" : "faces:\(fallback.rawValue)"
        case .point(let x, let y): "\(x),\(y)"
        case .rectangle(let r): "\(r.x),\(r.y),\(r.width),\(r.height)"
        }
    }

    /// Reads what `description` writes, faces with the framing `head`, and the spelling `center`.
    public init?(_ text: String) {
        if let faces = Self.faces(text) {
            self = faces
            return
        }
        switch text {
        case "centre", "center": self = .centre
        case "upper": self = .upper
        case "top": self = .top
        case "attention": self = .attention
        case "entropy": self = .entropy
        default:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            let numbers = parts.compactMap(\.self)
            guard numbers.count == parts.count else { return nil }
            switch numbers.count {
            case 2 where numbers.allSatisfy { $0 >= 0 }: self = .point(x: numbers[0], y: numbers[1])
            case 4 where numbers[2] > 0 && numbers[3] > 0:
                self = .rectangle(PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
            default: return nil
            }
        }
    }

    /// `faces`, with a fallback behind a colon where it is not attention.
    private static func faces(_ text: String) -> Focus? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == "faces" else { return nil }
        guard parts.count == 2 else { return .faces() }
        return Fallback(rawValue: parts[1] == "center" ? "centre" : String(parts[1])).map { .faces(fallback: $0) }
    }
}
