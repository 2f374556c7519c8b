import Glibc

/// How the numbers of a high dynamic range picture are to be read, and the way from there to a standard range one.
struct HDRTransfer: Hashable, Sendable {
    /// The curve from numbers to light, by its code point in ITU-T H.273, table 3.
    enum Curve: Int, Sendable {
        /// SMPTE ST 2084.
        case pq = 16
        /// ARIB STD-B67.
        case hlg = 18
    }

    /// The colours that the channels stand for, by their code point in ITU-T H.273, table 2.
    enum Primaries: Int, Sendable {
        case bt709 = 1
        case bt2020 = 9
        case displayP3 = 12
    }

    let curve: Curve
    let primaries: Primaries

    init?(curve: Int, primaries: Int) {
        guard let curve = Curve(rawValue: curve) else { return nil }
        self.curve = curve
        self.primaries = Primaries(rawValue: primaries) ?? .bt709
    }

    /// The light of diffuse white, in cd/m², by ITU-R BT.2408; it becomes the standard range's white before the
    /// shoulder below makes room for what is brighter.
    private static let white = 203.0
    /// The brightest light that is still told from white; what is above it is cut off.
    private static let peak = 1000.0

    /// Light relative to diffuse white for each of 4096 steps of a number.
    var linear: [Double] {
        (0..<4096).map { step in
            let value = Double(step) / 4095
            return switch curve {
            case .pq: Self.pq(value) / Self.white
            case .hlg: Self.hlg(value)
            }
        }
    }

    /// ST 2084's curve, in cd/m².
    private static func pq(_ value: Double) -> Double {
        let power = pow(value, 32.0 / 2523)
        let ratio = max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
        return 10_000 * pow(ratio, 8192.0 / 1305)
    }

    /// BT.2100's inverse curve, the scene's light from 0 to 1.
    private static func hlg(_ value: Double) -> Double {
        value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    /// One pixel's light, as 8-bit sRGB.
    func mapped(_ light: (Double, Double, Double)) -> (UInt8, UInt8, UInt8) {
        var (red, green, blue) = light
        if curve == .hlg {
            // BT.2100's system gamma of 1.2 for a display of 1000 cd/m².
            let luminance = 0.2627 * red + 0.6780 * green + 0.0593 * blue
            let gain = Self.peak / Self.white * pow(max(luminance, 1e-6), 0.2)
            (red, green, blue) = (red * gain, green * gain, blue * gain)
        }
        let brightest = max(red, green, blue)
        if brightest > 0 {
            let gain = Self.shoulder(brightest) / brightest
            (red, green, blue) = (red * gain, green * gain, blue * gain)
        }
        let rows = matrix
        func channel(_ row: (Double, Double, Double)) -> UInt8 {
            let value = min(1, max(0, row.0 * red + row.1 * green + row.2 * blue))
            let encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
            return UInt8((encoded * 255).rounded())
        }
        return (channel(rows.0), channel(rows.1), channel(rows.2))
    }

    /// The identity up to half of white, and from there a curve of the same slope that reaches white at the peak.
    private static func shoulder(_ light: Double) -> Double {
        let knee = 0.5
        if light <= knee { return light }
        let range = peak / white - knee
        let bend = range / (1 - knee) - 1
        let share = min(1, (light - knee) / range)
        return knee + (1 - knee) * (1 + bend) * share / (1 + bend * share)
    }

    /// From the primaries to BT.709's, by the chromaticities of H.273 (BT.2087's matrix for BT.2020).
    private var matrix: ((Double, Double, Double), (Double, Double, Double), (Double, Double, Double)) {
        switch primaries {
        case .bt709: ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        case .bt2020: ((1.6605, -0.5876, -0.0728), (-0.1246, 1.1329, -0.0083), (-0.0182, -0.1006, 1.1187))
        case .displayP3: ((1.2249, -0.2247, 0), (-0.0420, 1.0419, 0), (-0.0197, -0.0786, 1.0979))
        }
    }
}

extension PixelBuffer {
    /// Evaluates `raster`, whose 8- or 16-bit numbers are to be read by `transfer`.
    init(_ raster: Raster, transfer: HDRTransfer, watch: RenderWatch) throws(VipsFailure) {
        let (memory, isWide) = try raster.evaluatedSamples(watch: watch)
        let channels = raster.bands
        let linear = transfer.linear
        var bytes = [UInt8](repeating: 255, count: raster.size.area * channels)
        // The widest number that the samples can hold, brought to the table's 4095.
        func light(_ index: Int) -> Double {
            linear[isWide ? memory[index] >> 4 : memory[index] * 4095 / 255]
        }
        for pixel in 0..<raster.size.area {
            let start = pixel * channels
            (bytes[start], bytes[start + 1], bytes[start + 2]) = transfer.mapped(
                (light(start), light(start + 1), light(start + 2)))
            if channels == 4 {
                bytes[start + 3] = UInt8(isWide ? memory[start + 3] / 257 : memory[start + 3])
            }
        }
        self.init(size: raster.size, channels: channels, bytes: bytes)
    }
}
