import CVips
import JPEGPreview

extension OpenedImage {
    /// How many times as large as a rendition the 1/8 picture has to be, in both directions: what a comparison with
    /// full decodes of photos of 12 megapixels allows (mean SSIM 0.997 at 1.5, 0.9945 at 1.26). Small photos, sharp to
    /// the pixel, lose more: 0.995 at 1.5 and 0.998 at 2 (Benchmarks/JPEGPreview). Pictures that faces place make do with
    /// less, of the decode that was searched: `SettledRenditions.faceSurplus`.
    static let eighthSurplus = 1.5

    /// The most grey levels by which the first scan of a progressive file may miss: as many as the picture may differ from
    /// libjpeg's at 1/8. Encoders leave out one bit, which is less than one level where the quantiser is below 16, as it
    /// is at usual qualities.
    private static let eighthError = 2.0

    /// A 1/8 picture, and what has gone through the file for it.
    struct Eighth {
        let raster: Raster
        let decoder: DCDecoder
    }

    /// A JPEG at 1/8 from its DC coefficients alone, for a rendition `reduction` times smaller than the picture; nil
    /// where that would not serve, or where libvips has to decide what becomes of the file: a kind of JPEG that is
    /// declined, and any sign of damage.
    ///
    /// A baseline file's data are gone through to their end, so what libjpeg would warn of is seen. Of the scans of a
    /// progressive one only the first is decoded; the others are looked at only as far as to see that the file is whole:
    /// of a sparse source, that the next scan begins where the first ends, and that the image ends where the source does.
    /// That is not enough where `isStrict`: then a file of several scans is left to libvips, which decodes them all.
    ///
    /// Ends in nil soon after `watch` is called off or its time is over.
    func eighth(reduction: Double, isStrict: Bool, watch: RenderWatch) throws(VipsFailure) -> Eighth? {
        guard reduction / 8 >= Self.eighthSurplus, !(isStrict && header.isProgressive) else { return nil }
        return try eighth(watch) { decoder in
            reduction / Double(decoder.reduction) >= Self.eighthSurplus && decoder.findings.isEmpty
                && decoder.largestError <= Self.eighthError
                && (!decoder.hasSeveralScans || !isStrict && decoder.isWhole(bytes.buffer))
        }
    }

    /// The same at any ratio and of a damaged file too, as a stand-in; nil where there is no such picture.
    ///
    /// - Complexity: O(bytes of the file), about a third of the time that decoding at 1/8 takes elsewhere; of a
    ///   progressive file, O(bytes of its DC coefficients).
    func roughBase() -> DecodedBase? {
        guard let rough = try? eighth(nil, { _ in true }) else { return nil }
        return try? DecodedBase(self, eighth: rough)
    }

    /// Whether `renditions` will themselves be made of the 1/8 picture, as far as the header tells.
    func isServedByEighth(_ renditions: [Rendition]) -> Bool {
        Self.isServedByEighth(renditions, upright: header.uprightSize)
    }

    /// The same of a JPEG of `upright` pixels.
    static func isServedByEighth(_ renditions: [Rendition], upright: PixelSize) -> Bool {
        let plans = renditions.compactMap { try? CropPlan($0, upright: upright, source: "") }
        return (plans.map(\.reduction).min() ?? 1) / 8 >= Self.eighthSurplus
    }

    private func eighth(
        _ watch: RenderWatch?, _ accepts: (DCDecoder) -> Bool
    ) throws(VipsFailure) -> Eighth? {
        // What is not known reads as zeros, among which no marker stands and no coefficient is right.
        guard header.format == .jpeg,
            let decoder = try? DCDecoder(bytes.buffer, isCalledOff: { watch?.isOver == true }),
            bytes.isKnown(to: decoder.position), accepts(decoder)
        else { return nil }
        let picture = EighthPicture(decoder)
        // What the profile was judged by.
        guard picture.samples.colorSpace.rawValue == header.colorSpace,
            PixelSize(width: picture.fullWidth, height: picture.fullHeight) == header.storedSize
        else { return nil }
        let raster = try Raster(
            picture.bytes, PixelSize(width: picture.width, height: picture.height), picture.samples)
        return Eighth(raster: raster, decoder: decoder)
    }
}

extension Raster {
    /// Of a JPEG's samples: a copy that owns its pixels.
    convenience init(
        _ bytes: [UInt8], _ size: PixelSize, _ samples: EighthPicture.Samples
    ) throws(VipsFailure) {
        try self.init(
            copying: bytes, size: size, bands: samples.rawValue,
            as: samples == .cmyk ? VIPS_INTERPRETATION_CMYK : nil)
    }
}

extension EighthPicture.Samples {
    fileprivate var colorSpace: RasterColorSpace {
        switch self {
        case .grey: .grey
        case .rgb: .rgb
        case .cmyk: .cmyk
        }
    }
}
