import CJPEGReference

/// libjpeg, as what JPEGPreview is compared with.
package enum Reference {
    package struct Plane {
        package let columns: Int
        package let rows: Int
        package let quantizer: Int
        package let values: [Int16]
    }

    package struct Coefficients {
        package let width: Int
        package let height: Int
        package let warnings: Int
        package let planes: [Plane]
    }

    package struct Picture {
        package let width: Int
        package let height: Int
        package let channels: Int
        package let bytes: [UInt8]
    }

    /// The DC coefficients as libjpeg reads them; nil where it gives up.
    package static func coefficients(_ bytes: [UInt8]) -> Coefficients? {
        var out = cjpeg_planes()
        guard bytes.withUnsafeBytes({ cjpeg_read_dc($0.baseAddress, $0.count, &out) }) == 0 else { return nil }
        defer { cjpeg_free_planes(&out) }
        let all = [out.planes.0, out.planes.1, out.planes.2, out.planes.3]
        let planes = all.prefix(Int(out.components)).map { plane in
            let count = Int(plane.columns) * Int(plane.rows)
            return Plane(
                columns: Int(plane.columns), rows: Int(plane.rows), quantizer: Int(plane.quantizer),
                values: Array(UnsafeBufferPointer(start: plane.values, count: count)))
        }
        return Coefficients(
            width: Int(out.width), height: Int(out.height), warnings: Int(out.warnings), planes: planes)
    }

    /// The picture at 1 / `denominator`; nil where libjpeg gives up.
    package static func decode(_ bytes: UnsafeRawBufferPointer, denominator: Int) -> Picture? {
        var pixels: UnsafeMutablePointer<UInt8>?
        var (width, height, channels) = (Int32(0), Int32(0), Int32(0))
        let status = cjpeg_decode(
            bytes.baseAddress, bytes.count, Int32(denominator), &pixels, &width, &height, &channels)
        defer { free(pixels) }
        guard status == 0 else { return nil }
        let count = Int(width) * Int(height) * Int(channels)
        return Picture(
            width: Int(width), height: Int(height), channels: Int(channels),
            bytes: Array(UnsafeBufferPointer(start: pixels, count: count)))
    }
}
