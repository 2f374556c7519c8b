/// A part of a JPEG at one quarter of its width and height: the exact averages of four by four pixels, but for chroma
/// that is stored at half the size.
///
/// Little but the rows of the part is gone through, and of what lies beside it no pixel is made.
package struct QuarterPart: Sendable {
    /// What the samples of a pixel are.
    package let samples: EighthPicture.Samples
    /// Where in the whole picture at a quarter it begins.
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int
    /// Rows from top to bottom without gaps.
    package let bytes: [UInt8]

    /// Decodes what covers `columns` and `rows` of the stored picture's pixels, and a little more.
    ///
    /// - Parameters:
    ///   - decoder: What has gone through `bytes`.
    /// - Returns: nil where the file is progressive, in several scans, not sound, or without luma of full size.
    /// - Complexity: O(bytes of the rows), about as much as the DC coefficients of those bytes take.
    package init?(
        _ decoder: DCDecoder, of bytes: UnsafeRawBufferPointer, columns: Range<Int>, rows: Range<Int>
    ) {
        guard let frame = decoder.frame, let scan = decoder.whole, let start = bytes.baseAddress,
            decoder.findings.isEmpty, decoder.reduction == 8,
            !columns.isEmpty, !rows.isEmpty, columns.lowerBound >= 0, rows.lowerBound >= 0,
            columns.upperBound <= frame.width, rows.upperBound <= frame.height
        else { return nil }
        // A single component has blocks for units, whatever its sampling factors.
        let isAlone = frame.components.count == 1
        let (across, down) = isAlone ? (1, 1) : (frame.maximumAcross, frame.maximumDown)
        // One more on each side, for what is drawn between samples of chroma.
        func units(_ pixels: Range<Int>, _ size: Int, _ count: Int) -> Range<Int> {
            max(0, pixels.lowerBound / size - 1)..<min(count, (pixels.upperBound - 1) / size + 2)
        }
        let unitColumns = units(columns, 8 * across, scan.unitColumns)
        let unitRows = units(rows, 8 * down, scan.unitRows)
        var planes: [DCPlane] = []
        for component in frame.components {
            let (ownAcross, ownDown) = isAlone ? (1, 1) : (component.across, component.down)
            // Averages that lie in the picture, at least in part, from the first unit on.
            let width = (frame.width * ownAcross + across - 1) / across
            let height = (frame.height * ownDown + down - 1) / down
            let stored = (2 * ownAcross * unitColumns.count, 2 * ownDown * unitRows.count)
            planes.append(
                DCPlane(
                    columns: min(stored.0, (width + 3) / 4 - 2 * ownAcross * unitColumns.lowerBound),
                    rows: min(stored.1, (height + 3) / 4 - 2 * ownDown * unitRows.lowerBound), stride: stored.0,
                    storedRows: stored.1))
        }
        let members = scan.scan.members
        let quantizers = members.map { decoder.quantizers[frame.components[$0.component].quantizationTable] ?? [] }
        guard quantizers.allSatisfy({ $0.count == 64 }) else { return nil }
        let quads = QuadDecoder(
            scan, planes: members.map { planes[$0.component] }, quantizers: quantizers, rows: unitRows,
            columns: unitColumns)
        guard quads.decode(start.assumingMemoryBound(to: UInt8.self), to: bytes.count) else { return nil }
        samples = EighthPicture.Samples(decoder.colorModel)
        (x, y) = (2 * across * unitColumns.lowerBound, 2 * down * unitRows.lowerBound)
        width = min(2 * across * unitColumns.count, (frame.width + 3) / 4 - x)
        height = min(2 * down * unitRows.count, (frame.height + 3) / 4 - y)
        self.bytes = EighthPicture.pixels(planes, of: frame, decoder.colorModel, width: width, height: height)
    }
}
