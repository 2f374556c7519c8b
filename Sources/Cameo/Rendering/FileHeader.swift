/// What the header of a picture or a film tells, read without decoding anything.
struct FileHeader: Hashable, Sendable {
    /// What kind of file it is, as far as a library cares.
    enum Form: UInt8, Sendable {
        /// Nothing that a library lists.
        case other = 0
        case jpeg, heif
        /// A picture that is never half of a pair.
        case still
        case raw
        case film
    }

    /// What kind of file it is.
    var form = Form.other
    /// The format, where it is one that Cameo reads.
    var format: ImageFormat?
    /// Pixels as stored.
    var storedSize: PixelSize?
    /// How the stored pixels are to be turned.
    var orientation = Orientation.up
    /// When it was taken, as the file says.
    var date: CaptureDate?
    /// Where it was taken.
    var place: Place?
    /// Whether it has several frames and is no film.
    var isAnimated = false
    /// Whether the file itself says that it is a picture of a screen.
    var isScreenshot = false

    /// Pixels of the upright picture.
    var uprightSize: PixelSize? { storedSize.map(orientation.upright) }

    mutating func take(_ exif: ExifReader, orientation takesOrientation: Bool = true) {
        if takesOrientation { orientation = exif.orientation }
        date = exif.date ?? date
        place = exif.place ?? place
        isScreenshot = exif.isScreenshot || isScreenshot
    }
}
