import CVips

/// What a raster's numbers mean, as far as the way to sRGB depends on it.
enum RasterColorSpace: String {
    case rgb = "RGB"
    case grey
    case cmyk = "CMYK"
    case lab = "Lab"
    case other

    /// The kind of profile that fits.
    var profileSpace: ICCProfile.ColorSpace {
        switch self {
        case .rgb: .rgb
        case .grey: .grey
        case .cmyk: .cmyk
        case .lab: .lab
        case .other: .other
        }
    }
}

extension Raster {
    var colorSpace: RasterColorSpace {
        switch interpretation {
        case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_scRGB:
            .rgb
        case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: .grey
        case VIPS_INTERPRETATION_CMYK: .cmyk
        case VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABS, VIPS_INTERPRETATION_LABQ: .lab
        default: .other
        }
    }

    var bitsPerChannel: Int {
        let declared = integer("bits-per-sample", absent: 0)
        if declared > 0 { return declared }
        return switch format {
        case VIPS_FORMAT_UCHAR, VIPS_FORMAT_CHAR: 8
        case VIPS_FORMAT_USHORT, VIPS_FORMAT_SHORT: 16
        case VIPS_FORMAT_DOUBLE, VIPS_FORMAT_DPCOMPLEX: 64
        default: 32
        }
    }

    /// Whether the numbers are far from perceptual RGB, so that they must be converted before they are averaged.
    var mustConvertFirst: Bool {
        let isPlain = format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT
        return !isPlain || (colorSpace != .rgb && colorSpace != .grey)
    }

    /// To 8-bit sRGB with three bands, and a fourth where there is alpha.
    ///
    /// The embedded profile counts where `useProfile`; without it CMYK is read by libvips's own press profile, and
    /// other spaces by their definition. A picture without a profile that is 8-bit RGB already is left as it is.
    ///
    /// Alpha goes its own way: libvips's colour operations clip a 16-bit one instead of scaling it.
    func inSRGB(useProfile: Bool) throws(VipsFailure) -> Raster {
        guard hasAlpha, bands > 1 else { return try opaqueInSRGB(useProfile: useProfile) }
        let color = try bands(0..<bands - 1).opaqueInSRGB(useProfile: useProfile)
        let alpha = try bands(bands - 1..<bands)
        let isWide = format == VIPS_FORMAT_USHORT
        let narrow = isWide ? try alpha.scaled(by: 1 / 257) : alpha
        return try color.joined(with: narrow.rounded(to: VIPS_FORMAT_UCHAR))
    }

    private func opaqueInSRGB(useProfile: Bool) throws(VipsFailure) -> Raster {
        let converted: Raster
        if useProfile {
            let isPerceptualOnly = withBlob(VIPS_META_ICC_NAME) { ICCProfile($0)?.isPerceptualOnly == true }
            converted = try convertedToSRGB(perceptual: isPerceptualOnly)
        } else if colorSpace == .cmyk {
            converted = try bands(0..<min(bands, 4)).convertedToSRGB(from: "cmyk")
        } else {
            converted = try readByDefinition().converted(to: VIPS_INTERPRETATION_sRGB)
        }
        return try converted.bands(0..<min(converted.bands, 3)).rounded(to: VIPS_FORMAT_UCHAR)
    }

    /// Numbers of no stated meaning are read as grey or RGB of their width.
    private func readByDefinition() throws(VipsFailure) -> Raster {
        guard colorSpace == .other, interpretation == VIPS_INTERPRETATION_MULTIBAND else { return self }
        let isWide = format == VIPS_FORMAT_USHORT
        if bands < 3 { return try interpreted(as: isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W) }
        return try interpreted(as: isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB)
    }
}
