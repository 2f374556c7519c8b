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
    /// A point in upright pixels, which the crop has in its middle as far as the picture's edges allow.
    case point(x: Int, y: Int)
    /// A rectangle in upright pixels. A fill takes the largest part of it that has the rendition's aspect.
    case rectangle(PixelRect)
}

extension Focus: CustomStringConvertible {
    /// The focus as the command line writes it.
    public var description: String {
        switch self {
        case .centre: "centre"
        case .upper: "upper"
        case .top: "top"
        case .attention: "attention"
        case .entropy: "entropy"
        case .point(let x, let y): "\(x),\(y)"
        case .rectangle(let r): "\(r.x),\(r.y),\(r.width),\(r.height)"
        }
    }

    /// Reads what `description` writes, and the spelling `center`.
    public init?(_ text: String) {
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
}
