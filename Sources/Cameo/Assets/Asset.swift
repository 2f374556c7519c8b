/// A photo or a video in a library.
public struct Asset: Identifiable, Hashable, Sendable {
    /// What the asset is, whatever its name and place: survives a rename, a move and a new scan.
    public struct ID: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
        /// Letters and digits only.
        public let value: String

        /// The identifier written as `value`.
        public init(_ value: String) { self.value = value }

        /// The identifier as text.
        public var description: String { value }

        /// By text; means nothing but a stable order.
        public static func < (a: ID, b: ID) -> Bool { a.value < b.value }
    }

    /// Whether it moves.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case image, video
    }

    /// What is special about it.
    public struct Subtypes: OptionSet, Hashable, Codable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// The subtypes of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A photo with a short film of the same moment.
        public static let live = Subtypes(rawValue: 1)
        /// A very wide or very tall photo.
        public static let panorama = Subtypes(rawValue: 2)
        /// A picture of a screen.
        public static let screenshot = Subtypes(rawValue: 4)
        /// Several frames.
        public static let animated = Subtypes(rawValue: 8)
        /// A camera's raw data, alone or beside a JPEG.
        public static let raw = Subtypes(rawValue: 16)

        /// All subtypes with the words for them.
        public static let names: [(Subtypes, String)] = [
            (.live, "live"), (.panorama, "panorama"), (.screenshot, "screenshot"), (.animated, "animated"),
            (.raw, "raw"),
        ]
    }

    /// Where the date comes from.
    public enum DateSource: String, Codable, Sendable {
        /// The camera wrote it into the file.
        case exif
        /// The file's own time, in UTC.
        case file
    }

    /// The identifier.
    public let id: ID
    /// The file that is shown: the still of a Live Photo, the JPEG of a raw pair.
    public let path: FilePath
    /// The other files of the asset: the film of a Live Photo, the raw file of a pair.
    public let companions: [FilePath]
    /// Image or video.
    public let kind: Kind
    /// What is special about it.
    public let subtypes: Subtypes
    /// Pixels of the upright picture; nil where the header does not tell.
    public let uprightSize: PixelSize?
    /// Civil time where it was taken.
    public let date: CaptureDate
    /// Where the date comes from.
    public let dateSource: DateSource
    /// Where it was taken.
    public let place: Place?
    /// Bytes of all its files.
    public let bytes: Int
    /// Changes when the file at `path` is overwritten.
    public let stamp: ContentStamp

    /// An asset of these properties.
    public init(
        id: ID, path: FilePath, companions: [FilePath] = [], kind: Kind = .image, subtypes: Subtypes = [],
        uprightSize: PixelSize?, date: CaptureDate, dateSource: DateSource, place: Place? = nil, bytes: Int,
        stamp: ContentStamp
    ) {
        self.id = id
        self.path = path
        self.companions = companions
        self.kind = kind
        self.subtypes = subtypes
        self.uprightSize = uprightSize
        self.date = date
        self.dateSource = dateSource
        self.place = place
        self.bytes = bytes
        self.stamp = stamp
    }

    /// Where the picture's pixels come from.
    public var source: ImageSource { .file(path) }
}
