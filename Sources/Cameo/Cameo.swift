import CVips

/// The library as a whole.
public enum Cameo {
    /// The version of the library and the command.
    public static let version = "0.1.0"

    /// The version of libvips that is linked, such as `8.14.1`.
    public static var libvipsVersion: String { (0..<3).map { String(vips_version($0)) }.joined(separator: ".") }

    /// Raised with every change of what pixels come of a picture.
    private static let pixelRevision = 3

    /// Two engines of one version make the same bytes of the same picture.
    public static var engineVersion: String { "\(version)+p\(pixelRevision)+vips\(libvipsVersion)" }
}
