import Synchronization

/// A picture that the pipeline delivers.
public struct PipelineImage: Sendable {
    /// Where a picture came from.
    public enum Origin: String, Codable, Sendable {
        /// It was in memory.
        case memory
        /// From the thumbnail store.
        case disk
        /// It was rendered from the source.
        case rendered
        /// The small JPEG that a camera put inside the file.
        case embeddedPreview
        /// A JPEG's 1/8 picture, decoded in a hurry.
        case eighth
        /// The blur that is kept of an asset.
        case thumbHash
    }

    /// What one picture is, whoever it is given to.
    final class Storage: Sendable {
        let pixels: PixelBuffer
        let crop: PixelRect
        let rendition: Rendition
        let warnings: [RenderWarning]
        /// The encoded bytes once they are known. Guards against a second encode, never held while encoding.
        let encoded: Mutex<(format: Encoding.Format, bytes: [UInt8])?>

        init(
            pixels: PixelBuffer, crop: PixelRect, rendition: Rendition, warnings: [RenderWarning] = [],
            encoded: (format: Encoding.Format, bytes: [UInt8])? = nil
        ) {
            self.pixels = pixels
            self.crop = crop
            self.rendition = rendition
            self.warnings = warnings
            self.encoded = Mutex(encoded)
        }
    }

    let storage: Storage
    /// Where it came from.
    public let origin: Origin
    /// Whether it is a stand-in, smaller or older than what was asked for.
    public let isDegraded: Bool

    /// The pixels: 8-bit sRGB, alpha not premultiplied.
    public var pixels: PixelBuffer { storage.pixels }
    /// The part of the upright source that is shown.
    public var crop: PixelRect { storage.crop }
    /// The rendition that it is. For a stand-in it may be another than the one asked for.
    public var rendition: Rendition { storage.rendition }
    /// What is worth knowing; empty for what came from the store.
    public var warnings: [RenderWarning] { storage.warnings }

    /// Bytes that it takes in memory.
    var cost: Int { storage.pixels.bytes.count + 256 }

    func from(_ origin: Origin, isDegraded: Bool = false) -> PipelineImage {
        PipelineImage(storage: storage, origin: origin, isDegraded: isDegraded)
    }

    /// The picture as a file, in the rendition's encoding. What the store has, or what was asked for before, is not
    /// encoded again. O(pixels) the first time.
    ///
    /// - Throws: `RenderError.environment` if it cannot be encoded.
    public func encoded() throws(RenderError) -> (format: Encoding.Format, bytes: [UInt8]) {
        if let known = storage.encoded.withLock({ $0 }) { return known }
        let made = try pixels.encoded(rendition.encoding)
        storage.encoded.withLock { $0 = made }
        return made
    }
}
