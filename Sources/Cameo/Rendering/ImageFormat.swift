/// A format that Cameo can read.
public enum ImageFormat: String, CaseIterable, Codable, Hashable, Sendable {
    case jpeg, png, gif, webp, heif, avif, tiff
    /// Allowed only on request.
    case jxl, jp2, svg

    /// The formats that are read without being asked for by name.
    public static let standard: Set<ImageFormat> = [.jpeg, .png, .gif, .webp, .heif, .avif, .tiff]

    /// The formats that are read only where they are allowed by name.
    public static let optional: Set<ImageFormat> = [.jxl, .jp2, .svg]

    /// The name that people know the format by.
    public var title: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .gif: "GIF"
        case .webp: "WebP"
        case .heif: "HEIF"
        case .avif: "AVIF"
        case .tiff: "TIFF"
        case .jxl: "JPEG XL"
        case .jp2: "JPEG 2000"
        case .svg: "SVG"
        }
    }

    /// Extensions by which people name pictures, in lower case; those of formats that are not read are among them,
    /// so that such a file is refused by name and not passed over.
    public static let pictureExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "heic", "heif", "hif", "avif", "avifs", "tif",
        "tiff", "jxl", "jp2", "j2k", "jpf", "jpx", "svg", "svgz", "bmp", "dib", "psd", "ico", "tga", "exr", "hdr",
        "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "srf", "sr2", "raf", "orf", "rw2", "pef", "srw", "x3f", "erf",
        "3fr", "mrw", "raw", "ppm", "pgm", "pbm", "pnm", "xcf", "wdp", "jxr", "qoi",
    ]
}
