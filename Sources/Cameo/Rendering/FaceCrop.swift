/// Where a person would crop a picture for the faces in it. Pure geometry, in pixels of the upright picture.
///
/// One head is cut out with room around it. Several heads of about one size are cut out together; where no crop holds
/// them all, as many whole ones as a crop can hold; and where that is one, the main one alone: never the middle between
/// two. The numbers come from holding crops against heads that were drawn by hand in 121 pictures.
struct FaceCrop {
    /// The main one first, then those that belong to it.
    let heads: [FaceHead]
    /// Of the picture.
    let size: PixelSize
    /// The largest crop of the wanted aspect.
    let largest: PixelSize
    let isCircle: Bool
    let framing: Focus.Framing

    /// The side of a crop around one face, in widths of the face.
    private static let side = 2.8
    /// Where the face lies at the picture's edge, less than that may hold the head where that does not.
    private static let sides = stride(from: side, through: 1.7, by: -0.1)
    /// How far the middle of the crop lies above the middle of the face, in widths of the face, for a crop of `side` of
    /// them.
    ///
    /// The middle of a head lies 0.2 above that of its face on average, and an average head fills 1.6. Of the room that
    /// is left, 65 parts of 100 go above, as hair and hats reach twice as unevenly far beyond the box of a face as chins
    /// do; where there is room enough, more than 0.26 holds no more heads.
    private static func rise(_ side: Double) -> Double { min(0.26, 0.2 + 0.15 * max(0, side - 1.6)) }
    /// Faces of at least this share of the main one's width belong to a group with it, if they are as sure as `sureness`:
    /// fainter ones are too often none.
    private static let groupWidth = 0.5
    private static let sureness = 0.25
    /// Room around a group.
    private static let room = 1.2

    /// - Parameters:
    ///   - faces: At least one, the main one first.
    ///   - aspect: The aspect of the crop.
    init(
        _ faces: [DetectedFace], in size: PixelSize, aspect: PixelSize, isCircle: Bool, framing: Focus.Framing = .head
    ) {
        let all = faces.map { FaceHead($0, in: size) }
        heads = all.enumerated().filter { place, head in
            place == 0
                || head.faceWidth >= Self.groupWidth * all[0].faceWidth && head.confidence >= Self.sureness
        }.map(\.element)
        self.size = size
        largest = size.inscribed(aspectOf: aspect)
        self.isCircle = isCircle
        self.framing = framing
    }

    /// The crop. O(faces²) where faces are many and far apart.
    var rect: PixelRect {
        if heads.count > 1, let group { return group }
        return single
    }

    private var single: PixelRect {
        let head = heads[0]
        let sizes = framing == .picture ? [largest] : Self.sides.map { crop(around: $0 * head.faceWidth) }
        let crops = sizes.map { cropSize in
            let rise = Self.rise(Double(cropSize.height) / head.faceWidth) * head.faceWidth
            return PixelRect.centred(atX: head.faceX, y: head.faceY - rise, size: cropSize, in: size)
        }
        let best = crops.first { overflow(of: head, $0) <= 1 }
        return best ?? crops.min { overflow(of: head, $0) < overflow(of: head, $1) } ?? PixelRect(largest)
    }

    private var group: PixelRect? {
        let points = heads.flatMap { $0.outline(in: size) }
        let middle: (x: Double, y: Double)
        let reach: (x: Double, y: Double)
        if isCircle {
            let circle = EnclosingCircle(points)
            (middle, reach) = ((circle.x, circle.y), (circle.radius, circle.radius))
        } else {
            let (xs, ys) = (points.map(\.x), points.map(\.y))
            let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
            let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
            (middle, reach) = (((left + right) / 2, (top + bottom) / 2), ((right - left) / 2, (bottom - top) / 2))
        }
        let together = crop(
            around: max(Self.side * heads[0].faceWidth, 2 * Self.room * reach.y),
            width: 2 * Self.room * reach.x)
        let whole = PixelRect.centred(atX: middle.x, y: middle.y, size: together, in: size)
        if heads.allSatisfy({ overflow(of: $0, whole) <= 1 }) { return whole }
        return slid
    }

    /// The largest crop where it holds the most whole heads, two at least: the main one among them where that can be,
    /// and the ones it holds in its middle.
    private var slid: PixelRect? {
        var best: (rect: PixelRect, rank: (Int, Int, Double))?
        let steps = 100
        for step in 0...steps {
            var rect = PixelRect(largest)
            rect.x = (size.width - largest.width) * step / steps
            rect.y = (size.height - largest.height) * step / steps
            let kept = heads.filter { overflow(of: $0, rect) <= 1 }
            guard kept.count > 1 else { continue }
            let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
            let count = Double(kept.count)
            let off =
                abs(kept.reduce(0) { $0 + $1.x } / count - Double(x))
                + abs(kept.reduce(0) { $0 + $1.y } / count - Double(y))
            let rank = (kept.count, kept.contains(heads[0]) ? 1 : 0, -off)
            if let best, best.rank >= rank { continue }
            best = (rect, rank)
        }
        return best?.rect
    }

    /// The size of a crop that is `side` high and wide at least, and `width` wide; as large as there is room for.
    private func crop(around side: Double, width: Double = 0) -> PixelSize {
        if framing == .picture { return largest }
        let (across, down) = (Double(largest.width), Double(largest.height))
        let share = min(1, max(max(side, width) / across, side / down))
        let size = PixelSize(width: Int((across * share).rounded()), height: Int((down * share).rounded()))
        return PixelSize(width: max(1, size.width), height: max(1, size.height))
    }

    /// How far a head reaches from the middle of a crop: 1 is to the edge, or to that of the circle in it.
    private func overflow(of head: FaceHead, _ crop: PixelRect) -> Double {
        let (halfWidth, halfHeight) = (Double(crop.width) / 2, Double(crop.height) / 2)
        let (middleX, middleY) = (Double(crop.x) + halfWidth, Double(crop.y) + halfHeight)
        let radius = min(halfWidth, halfHeight)
        return head.outline(in: size).reduce(0) { most, point in
            let (x, y) = (abs(point.x - middleX), abs(point.y - middleY))
            return max(
                most, isCircle ? (x * x + y * y).squareRoot() / radius : max(x / halfWidth, y / halfHeight))
        }
    }
}
