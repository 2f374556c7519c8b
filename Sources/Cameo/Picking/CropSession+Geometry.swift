extension CropSession {
    /// What is cut out, in whole pixels of the upright original: always inside it, never empty, and exactly square
    /// for a square or a circle.
    public var crop: PixelRect {
        let shown = shownSize
        func length(_ shown: Double, _ limit: Int) -> Int { min(limit, max(1, Int(shown.rounded()))) }
        let size = PixelSize(width: length(shown.width, picture.width), height: length(shown.height, picture.height))
        return .centred(atX: centre.x, y: centre.y, size: size, in: picture)
    }

    /// What was done, to be stored and to render from.
    public var edit: Edit { Edit(crop: crop, quarterTurns: quarterTurns, isMirrored: isMirrored) }

    /// Whether the result differs from the original: something is cut off, turned or mirrored. A square of a picture
    /// that is not square is edited from the start.
    public var isEdited: Bool { !edit.keeps(picture) }

    /// Whether `reset` would change the result.
    public var canReset: Bool {
        var untouched = self
        untouched.reset()
        return untouched.edit != edit
    }

    /// Where the mask lies in the viewport, in points.
    public var maskFrame: LayoutRect {
        LayoutRect(
            centre: LayoutPoint(x: viewport.width / 2, y: viewport.height / 2),
            size: viewport.inscribed(aspect: mask.aspect))
    }

    /// Where the whole picture, turned and mirrored, lies in the viewport, in points. It covers `maskFrame`.
    public var pictureFrame: LayoutRect {
        let scale = pointsPerPixel
        let size = isTransposed ? picture.transposed : picture
        let middle = onScreen(
            LayoutPoint(x: Double(picture.width) / 2 - centre.x, y: Double(picture.height) / 2 - centre.y))
        return LayoutRect(
            centre: LayoutPoint(x: viewport.width / 2 + middle.x, y: viewport.height / 2 + middle.y),
            size: LayoutSize(width: Double(size.width) * scale, height: Double(size.height) * scale))
    }

    private var isTransposed: Bool { quarterTurns & 1 == 1 }

    /// How much of the upright original the mask shows, in pixels.
    var shownSize: LayoutSize {
        let whole = LayoutSize(width: Double(picture.width), height: Double(picture.height))
        let covering = whole.inscribed(aspect: isTransposed ? 1 / mask.aspect : mask.aspect)
        return LayoutSize(width: covering.width / zoom, height: covering.height / zoom)
    }

    private var pointsPerPixel: Double {
        maskFrame.width / (isTransposed ? shownSize.height : shownSize.width)
    }

    /// A way on the screen as a way on the upright original.
    func onPicture(_ way: LayoutPoint) -> LayoutPoint {
        let scale = pointsPerPixel
        let (x, y) = ((isMirrored ? -way.x : way.x) / scale, way.y / scale)
        return switch quarterTurns {
        case 1: LayoutPoint(x: y, y: -x)
        case 2: LayoutPoint(x: -x, y: -y)
        case 3: LayoutPoint(x: -y, y: x)
        default: LayoutPoint(x: x, y: y)
        }
    }

    /// A way on the upright original as a way on the screen.
    func onScreen(_ way: LayoutPoint) -> LayoutPoint {
        let turned =
            switch quarterTurns {
            case 1: LayoutPoint(x: -way.y, y: way.x)
            case 2: LayoutPoint(x: -way.x, y: -way.y)
            case 3: LayoutPoint(x: way.y, y: -way.x)
            default: way
            }
        let scale = pointsPerPixel
        return LayoutPoint(x: (isMirrored ? -turned.x : turned.x) * scale, y: turned.y * scale)
    }

    /// Stops the program if the session is where no gesture may lead.
    func checkInvariants() {
        precondition(Self.zoomRange.contains(zoom), "a zoom of \(zoom)")
        precondition((0...3).contains(quarterTurns), "\(quarterTurns) quarter turns")
        precondition(crop.lies(inside: picture), "\(crop) reaches outside \(picture)")
        let (mask, frame, slack) = (maskFrame, pictureFrame, 1e-6 * max(viewport.width, viewport.height))
        precondition(
            frame.x <= mask.x + slack && frame.y <= mask.y + slack && frame.maxX >= mask.maxX - slack
                && frame.maxY >= mask.maxY - slack, "the picture at \(frame) does not cover the mask at \(mask)")
    }
}
