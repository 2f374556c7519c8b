/// What an editing step did to a picture: cut a part out of it, then turned that, then mirrored it left to right.
///
/// It holds for the original, whatever size it is rendered at.
public struct Edit: Hashable, Codable, Sendable {
    /// The part that is kept, in pixels of the upright original.
    public let crop: PixelRect
    /// How often the part is turned by 90° clockwise: 0 to 3.
    public let quarterTurns: Int
    /// Whether it is mirrored left to right after being turned.
    public let isMirrored: Bool

    /// An edit; any number of turns, negative ones too, counts modulo 4.
    public init(crop: PixelRect, quarterTurns: Int = 0, isMirrored: Bool = false) {
        self.crop = crop
        self.quarterTurns = quarterTurns & 3
        self.isMirrored = isMirrored
    }

    private enum CodingKeys: String, CodingKey {
        case crop, quarterTurns
        case isMirrored = "mirrored"
    }

    /// An edit as `encode(to:)` writes it.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            crop: try values.decode(PixelRect.self, forKey: .crop),
            quarterTurns: try values.decode(Int.self, forKey: .quarterTurns),
            isMirrored: try values.decode(Bool.self, forKey: .isMirrored))
    }

    /// Turn and mirror as one of the eight positions of a picture.
    public var turn: Orientation {
        switch (quarterTurns, isMirrored) {
        case (1, false): .right
        case (1, true): .leftMirrored
        case (2, false): .down
        case (2, true): .downMirrored
        case (3, false): .left
        case (3, true): .rightMirrored
        case (_, let isMirrored): isMirrored ? .upMirrored : .up
        }
    }

    /// Pixels of the edited picture at full size.
    public var size: PixelSize { turn.upright(crop.size) }

    /// Whether nothing is left of a picture of `size` but the picture as it is.
    public func keeps(_ size: PixelSize) -> Bool { crop == PixelRect(size) && turn == .up }

    /// `rendition` of the edited picture: with the crop for a focus, and the turn.
    ///
    /// A `fit` shows all of the crop; a `fill` of another aspect trims it, and its crop says so.
    public func applied(to rendition: Rendition) -> Rendition {
        var edited = rendition
        edited.focus = .rectangle(crop)
        edited.turn = turn
        return edited
    }
}
