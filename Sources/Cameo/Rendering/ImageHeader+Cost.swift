extension ImageHeader {
    /// An estimate of the memory, in bytes, that making `renditions` of a source of so many bytes takes: the decode, the
    /// reduced picture that is held, and all results. `Int.max` where it is more than that.
    func cost(of renditions: [Rendition], bytes: Int) -> Int {
        let results = renditions.reduce(0.0) { $0 + Double($1.size.area) * 8 }
        let plans = renditions.compactMap { try? CropPlan($0, upright: uprightSize, source: "") }
        // Decoders and block averaging leave between one and a half and three times the size.
        let scale = max(1, (plans.map(\.reduction).min() ?? 1) / 3)
        let held = Double(uprightSize.area) * (bitsPerChannel > 8 ? 8 : 4) / (scale * scale)
        return Self.whole(Double(decodeCost(bytes: bytes)) + held + results)
    }

    /// An estimate of the memory that decoding takes, in bytes, above the pixels of the results.
    ///
    /// A baseline JPEG, a plain PNG and a striped TIFF pass through line by line; everything else is held as a whole
    /// frame, at the widths that its decoder uses.
    func decodeCost(bytes: Int) -> Int {
        let area = Double(storedSize.area)
        let sample = bitsPerChannel > 8 ? 2.0 : 1
        let lines = Double(storedSize.width) * 4 * sample * 256
        let frame: Double =
            switch format {
            // Coefficients: two bytes for each sample of up to three full planes.
            case .jpeg: isProgressive ? area * 6 : lines
            case .png: isProgressive ? area * 4 * sample : lines
            case .tiff: area * 4 * sample
            case .gif, .webp: area * 8
            // Planes of the codec, the RGB frame made of them, and the copy that is read from.
            case .heif, .avif: area * 8 * sample
            case .jxl, .jp2: area * 16
            case .svg: 16 * 1_048_576
            }
        return Self.whole(Double(bytes) + 4 * 1_048_576 + frame)
    }

    private static func whole(_ bytes: Double) -> Int { Int(exactly: bytes.rounded(.up)) ?? .max }
}
