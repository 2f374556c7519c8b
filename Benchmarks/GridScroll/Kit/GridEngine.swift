import Cameo

/// Where a picture in a cell came from.
package enum CellOrigin: String, Codable, CaseIterable, Sendable {
    /// It was in memory when the cell came on screen or was asked.
    case memory
    /// From encoded thumbnails on disk.
    case disk
    /// From the photo itself.
    case rendered
    /// The camera's small picture inside the photo.
    case preview
    /// A blur of a few bytes.
    case blur
    /// The same photo at another size.
    case otherSize
    /// From a table of raw pixels.
    case table
}

/// What a cell can show.
package enum CellPicture: Hashable, Sendable {
    /// Nothing yet.
    case blank
    /// A stand-in.
    case degraded(CellOrigin)
    /// The picture.
    case final(CellOrigin)
    /// Nothing, ever.
    case failed

    /// Where it came from, in a word.
    var tier: String {
        switch self {
        case .blank: "blank"
        case .degraded(let origin), .final(let origin): origin.rawValue
        case .failed: "failed"
        }
    }
}

/// What fills the cells of a grid. Everything is called on the display's thread.
package protocol GridEngine: AnyObject {
    /// All cells that enter from now on ask for `rendition`.
    func setLayout(_ layout: GridLayout, _ rendition: Rendition)
    /// A cell comes on screen.
    func enter(_ cell: Int)
    /// A cell leaves the screen.
    func leave(_ cell: Int)
    /// What a cell on screen can show now.
    func picture(of cell: Int) -> CellPicture
    /// What is on screen, and which way it goes, has changed.
    func scrolled(_ window: PrefetchWindow, visible: Range<Int>)
    /// The replay is over: drop what is under way, and tell.
    func finish() -> EngineFigures
}

/// What an engine did.
package struct EngineFigures: Codable, Hashable, Sendable {
    /// Photos decoded, in whole or in part.
    package var decodes = 0
    /// Decodes whose result nobody wanted any more when it was there, or that were stopped half-way.
    package var wasted = 0
    /// Requests called off before they cost a decode.
    package var cancelledBefore = 0
    /// Requests called off while the decode ran.
    package var cancelledDuring = 0
    /// Requests that joined another's work.
    package var coalesced = 0
    /// Pictures from the thumbnail store.
    package var diskHits = 0
    /// Stand-ins delivered.
    package var standIns = 0
    /// Requests that failed.
    package var failed = 0
    /// Seconds from each call-off during a decode to the worker being free.
    package var cancelSeconds: [Double] = []
    /// Milliseconds that the pipeline's stages took: how often, p50 and p99, to within a factor of √2.
    package var stages: [String: [Double]] = [:]
    /// When each decode began and ended, in seconds of the display's clock, and of which cell.
    var decodeSpans: [DecodeSpan] = []

    private enum CodingKeys: String, CodingKey {
        case decodes, wasted, cancelledBefore, cancelledDuring, coalesced, diskHits, standIns, failed, cancelSeconds,
            stages
    }

    /// Nothing done.
    package init() {}
}

/// One decode: nanoseconds of the monotonic clock.
struct DecodeSpan: Hashable, Sendable {
    let cell: Int
    let start: UInt64
    let end: UInt64
}

/// Where a picture goes that is shown: pixels are copied once, as an upload to a graphics card copies them.
package final class Surface {
    private var bytes = [UInt8](repeating: 0, count: 1 << 20)

    /// A surface.
    package init() {}

    /// Copies `pixels`, as far as they fit.
    package func show(_ pixels: UnsafeRawBufferPointer) {
        let count = min(pixels.count, bytes.count)
        bytes.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[..<count])) }
    }
}
