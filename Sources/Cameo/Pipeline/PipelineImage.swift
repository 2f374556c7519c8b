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
        /// The encoded bytes once they are known, and who is to be told when they are. Never held while encoding.
        private let file: Mutex<File>

        private struct File {
            var encoded: (format: Encoding.Format, bytes: [UInt8])?
            var onGrowth: (@Sendable () -> Void)?
        }

        init(
            pixels: PixelBuffer, crop: PixelRect, rendition: Rendition, warnings: [RenderWarning] = [],
            encoded: (format: Encoding.Format, bytes: [UInt8])? = nil
        ) {
            self.pixels = pixels
            self.crop = crop
            self.rendition = rendition
            self.warnings = warnings
            file = Mutex(File(encoded: encoded))
        }

        var encoded: (format: Encoding.Format, bytes: [UInt8])? { file.withLock { $0.encoded } }

        /// Bytes that it takes in memory by now.
        var cost: Int { pixels.bytes.count + (encoded?.bytes.count ?? 0) + 256 }

        /// Keeps the encoded bytes, and tells whoever counts what that takes.
        func keep(_ made: (format: Encoding.Format, bytes: [UInt8])) {
            let onGrowth = file.withLock { file in
                file.encoded = made
                return file.onGrowth
            }
            onGrowth?()
        }

        /// Calls `body` each time that the cost has changed.
        func whenGrown(_ body: @escaping @Sendable () -> Void) { file.withLock { $0.onGrowth = body } }
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

    func from(_ origin: Origin, isDegraded: Bool = false) -> PipelineImage {
        PipelineImage(storage: storage, origin: origin, isDegraded: isDegraded)
    }

    /// The picture as a file, in the rendition's encoding. What the store has, or what was asked for before, is not
    /// encoded again. O(pixels) the first time.
    ///
    /// - Throws: `RenderError.environment` if it cannot be encoded.
    public func encoded() throws(RenderError) -> (format: Encoding.Format, bytes: [UInt8]) {
        if let known = storage.encoded { return known }
        let made = try pixels.encoded(rendition.encoding)
        storage.keep(made)
        return made
    }
}
