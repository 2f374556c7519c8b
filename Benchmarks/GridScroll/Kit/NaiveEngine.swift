import Cameo

/// The first thing one writes: a cell decodes its photo when it comes on screen, on the display's thread, and keeps
/// nothing when it goes.
package final class NaiveEngine: GridEngine {
    private let assets: [Asset]
    private let surface = Surface()
    private var side = 1
    private var pictures: [Int: [UInt8]?] = [:]
    private var figures = EngineFigures()

    /// An engine for `assets`.
    package init(_ assets: [Asset]) { self.assets = assets }

    package func setLayout(_ layout: GridLayout, _ rendition: Rendition) { side = rendition.size.width }

    package func enter(_ cell: Int) {
        figures.decodes += 1
        pictures[cell] = .some(PlainVips.cell(assets[cell].path, side: side))
    }

    package func leave(_ cell: Int) { pictures[cell] = nil }

    package func picture(of cell: Int) -> CellPicture {
        guard let made = pictures[cell] else { return .blank }
        guard let pixels = made else { return .failed }
        pixels.withUnsafeBytes { surface.show($0) }
        return .final(.rendered)
    }

    package func scrolled(_ window: PrefetchWindow, visible: Range<Int>) {}

    package func finish() -> EngineFigures { figures }
}
