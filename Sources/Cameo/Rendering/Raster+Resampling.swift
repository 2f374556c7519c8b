import CVips
import Resampling

extension Raster {
    /// The part `window` of a raster of 8 bits in memory, at exactly `output` pixels.
    func resampled(_ window: WindowResampler.Window, to output: PixelSize) throws(VipsFailure) -> Raster {
        guard let start = vips_image_get_data(image), format == VIPS_FORMAT_UCHAR, bands <= 4 else {
            throw VipsFailure(text: "no 8-bit pixels came back")
        }
        let pixels = UnsafeRawBufferPointer(start: start, count: size.area * bands)
        let bytes = WindowResampler(window, of: size, channels: bands, to: output).resample(pixels)
        return try Raster(copying: bytes, size: output, bands: bands)
    }
}

extension WindowResampler {
    /// - Precondition: 1 to 4 channels.
    init(_ window: Window, of source: PixelSize, channels: Int, to output: PixelSize) {
        self.init(
            window, of: (source.width, source.height), channels: channels, to: (output.width, output.height))
    }
}

extension WindowResampler.Window {
    /// What shows `crop` of a picture of `full` pixels that lies in this window.
    func part(_ crop: PixelRect, of full: PixelSize) -> WindowResampler.Window {
        let (across, down) = (width / Double(full.width), height / Double(full.height))
        return WindowResampler.Window(
            x: x + Double(crop.x) * across, y: y + Double(crop.y) * down, width: Double(crop.width) * across,
            height: Double(crop.height) * down)
    }
}
