/// A JPEG at one eighth of its width and height, made of the averages that its DC coefficients are.
package struct EighthPicture: Sendable {
    /// What the samples of a pixel are, one byte each.
    package enum Samples: Int, Sendable {
        case grey = 1
        case rgb = 3
        /// Ink, 0 for none.
        case cmyk = 4
    }

    /// The whole picture's size in pixels.
    package let fullWidth: Int
    package let fullHeight: Int
    /// An eighth of it, rounded up. The last column and row may be averages of less than eight pixels, and of what
    /// the encoder filled them up with.
    package var width: Int { (fullWidth + 7) / 8 }
    package var height: Int { (fullHeight + 7) / 8 }
    package let samples: Samples
    /// Rows from top to bottom without gaps.
    package let bytes: [UInt8]
    /// What was noticed; empty for a sound file. Of AC coefficients, and of a progressive file behind its DC
    /// coefficients, only what passing over them shows.
    package let findings: Findings
    /// Where reading stopped, in bytes from the file's start.
    package let position: Int

    /// Decodes the JPEG in `bytes`.
    ///
    /// - Parameter blockLimit: The most 8 × 8 blocks to accept, over all components.
    /// - Complexity: O(bytes read + blocks) in time, O(blocks) in memory.
    package init(_ bytes: UnsafeRawBufferPointer, blockLimit: Int = 1 << 26) throws(JPEGPreviewError) {
        let decoder = try DCDecoder(bytes, blockLimit: blockLimit)
        self.init(decoder)
    }

    /// Makes the picture of coefficients that have been read.
    package init(_ decoder: DCDecoder) {
        (fullWidth, fullHeight) = (decoder.width, decoder.height)
        (findings, position) = (decoder.findings, decoder.position)
        samples = Samples(decoder.colorModel)
        guard let frame = decoder.frame else {
            bytes = []
            return
        }
        bytes = Self.pixels(
            decoder.planes, of: frame, decoder.colorModel, width: (decoder.width + 7) / 8,
            height: (decoder.height + 7) / 8)
    }

    /// Pixels of `width` × `height` of planes, one for each component, that begin where the pixels begin.
    static func pixels(
        _ planes: [DCPlane], of frame: Frame, _ model: ColorModel, width: Int, height: Int
    ) -> [UInt8] {
        let channels = Samples(model).rawValue
        var upsamplers = zip(frame.components, planes).map { component, plane in
            PlaneUpsampler(
                plane, width: width, across: component.across, of: frame.maximumAcross, down: component.down,
                of: frame.maximumDown)
        }
        return [UInt8](unsafeUninitializedCapacity: width * height * channels) { out, count in
            var rows = upsamplers.map { _ in [UInt8](repeating: 0, count: width) }
            for y in 0..<height {
                for index in upsamplers.indices { upsamplers[index].fill(&rows[index], row: y) }
                let start = y * width * channels
                let line = UnsafeMutableBufferPointer(rebasing: out[start..<start + width * channels])
                ColorConversion.convert(rows, model, into: line)
            }
            count = width * height * channels
        }
    }
}

extension EighthPicture.Samples {
    /// What pixels of `model` are made of.
    init(_ model: ColorModel) {
        switch model {
        case .grey: self = .grey
        case .yCbCr, .rgb: self = .rgb
        case .cmyk, .ycck: self = .cmyk
        }
    }
}
