import Cameo
import Foundation
import Glibc

/// Raw pixels of all cells that the traces show, one file a size of cell, mapped into memory: what FastImageCache does.
package final class PixelTable {
    struct Sheet {
        let file: Int32
        let start: UnsafeMutableRawPointer
        let length: Int
        let slots: [Int: Int]
        let slotLength: Int
    }

    /// What making it took.
    package struct Making: Codable, Hashable, Sendable {
        /// Pictures rendered.
        package var pictures = 0
        /// Seconds for those, on one thread.
        package var seconds = 0.0
        /// Bytes of the tables.
        package var bytes = 0
        /// Cells in them.
        package var cells = 0
    }

    /// What making it took.
    package private(set) var making = Making()
    private var sheets: [Int: Sheet] = [:]

    /// Makes the tables for what `plans` show, in `folder`. Each photo is rendered once a size, however many cells show
    /// it.
    package init(_ plans: [ScrollPlan], _ library: BenchmarkLibrary, in folder: URL) throws {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var wanted: [Int: Set<Int>] = [:]
        for plan in plans {
            for (columns, cells) in plan.shown {
                guard let layout = plan.layouts[columns] else { continue }
                wanted[plan.screen.rendition(layout).size.width, default: []].formUnion(cells)
            }
        }
        for (side, cells) in wanted.sorted(by: { $0.key < $1.key }) {
            sheets[side] = try make(side, cells.sorted(), library, folder.appending(path: "table-\(side)"))
        }
    }

    deinit {
        for sheet in sheets.values {
            munmap(sheet.start, sheet.length)
            close(sheet.file)
        }
    }

    private func make(_ side: Int, _ cells: [Int], _ library: BenchmarkLibrary, _ path: URL) throws -> Sheet {
        let slotLength = side * side * 3
        let file = open(path.path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0, ftruncate(file, slotLength * cells.count) == 0,
            let start = mmap(nil, slotLength * cells.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            start != MAP_FAILED
        else { throw BenchmarkError.file(path.path, String(cString: strerror(errno))) }
        var made: [Int: [UInt8]] = [:]
        var slots: [Int: Int] = [:]
        for (slot, cell) in cells.enumerated() {
            slots[cell] = slot
            let photo = library.photo(of: cell)
            if made[photo] == nil {
                let before = monotonic()
                made[photo] = PlainVips.cell(library.photos[photo].path, side: side) ?? []
                making.seconds += Double(monotonic() - before) / 1e9
                making.pictures += 1
            }
            made[photo]?.withUnsafeBytes { pixels in
                guard let source = pixels.baseAddress else { return }
                (start + slot * slotLength).copyMemory(from: source, byteCount: min(pixels.count, slotLength))
            }
        }
        making.bytes += slotLength * cells.count
        making.cells += cells.count
        // Dirty pages cannot be dropped from memory.
        msync(start, slotLength * cells.count, MS_SYNC)
        return Sheet(file: file, start: start, length: slotLength * cells.count, slots: slots, slotLength: slotLength)
    }

    /// Drops the tables from memory, so that they come from disk again.
    package func dropFromMemory() {
        for sheet in sheets.values {
            madvise(sheet.start, sheet.length, MADV_DONTNEED)
            posix_fadvise(sheet.file, 0, 0, POSIX_FADV_DONTNEED)
        }
    }

    /// Reads the tables into memory.
    package func readIntoMemory() {
        for sheet in sheets.values { madvise(sheet.start, sheet.length, MADV_POPULATE_READ) }
    }

    /// The pixels of a cell of `side` pixels; nil where the table has none.
    func pixels(of cell: Int, side: Int) -> UnsafeRawBufferPointer? {
        guard let sheet = sheets[side], let slot = sheet.slots[cell] else { return nil }
        return UnsafeRawBufferPointer(start: sheet.start + slot * sheet.slotLength, count: sheet.slotLength)
    }
}

/// Cells from a table of raw pixels: nothing to decode, nothing to wait for but the disk.
package final class TableEngine: GridEngine {
    private let table: PixelTable
    private let surface = Surface()
    private var side = 1

    /// An engine on `table`.
    package init(_ table: PixelTable) { self.table = table }

    package func setLayout(_ layout: GridLayout, _ rendition: Rendition) { side = rendition.size.width }
    package func enter(_ cell: Int) {}
    package func leave(_ cell: Int) {}

    package func picture(of cell: Int) -> CellPicture {
        guard let pixels = table.pixels(of: cell, side: side) else { return .failed }
        surface.show(pixels)
        return .final(.table)
    }

    package func scrolled(_ window: PrefetchWindow, visible: Range<Int>) {}
    package func finish() -> EngineFigures { EngineFigures() }
}
