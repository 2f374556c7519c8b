import Cameo
import Foundation
import Synchronization

/// What most would write: an `OperationQueue` as wide as the machine, an operation a cell that is cancelled when the
/// cell goes, `vips_thumbnail`, and a dictionary that keeps what was made.
package final class QueueEngine: GridEngine {
    private struct Key: Hashable {
        let cell: Int
        let side: Int
    }

    private struct State {
        var pictures: [Key: [UInt8]?] = [:]
        var wanted: Set<Key> = []
        var figures = EngineFigures()
    }

    private final class Shared: Sendable {
        /// Guards pictures and counts; never held while decoding.
        let state = Mutex(State())
    }

    private let assets: [Asset]
    private let surface = Surface()
    private let queue = OperationQueue()
    private let shared = Shared()
    private var operations: [Int: Operation] = [:]
    private var atOnce: Set<Int> = []
    private var side = 1

    /// An engine for `assets`.
    package init(_ assets: [Asset]) {
        self.assets = assets
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    }

    package func setLayout(_ layout: GridLayout, _ rendition: Rendition) { side = rendition.size.width }

    package func enter(_ cell: Int) {
        let key = Key(cell: cell, side: side)
        let isThere = shared.state.withLock { state in
            state.wanted.insert(key)
            return state.pictures[key] != nil
        }
        if isThere {
            atOnce.insert(cell)
            return
        }
        let (path, shared) = (assets[cell].path, shared)
        let operation = BlockOperation()
        operation.addExecutionBlock { [weak operation] in
            if operation?.isCancelled != false { return shared.state.withLock { $0.figures.cancelledBefore += 1 } }
            let pixels = PlainVips.cell(path, side: key.side)
            shared.state.withLock { state in
                state.figures.decodes += 1
                if pixels == nil { state.figures.failed += 1 }
                if !state.wanted.contains(key) { state.figures.wasted += 1 }
                state.pictures[key] = .some(pixels)
            }
        }
        operations[cell] = operation
        queue.addOperation(operation)
    }

    package func leave(_ cell: Int) {
        shared.state.withLock { _ = $0.wanted.remove(Key(cell: cell, side: side)) }
        atOnce.remove(cell)
        operations.removeValue(forKey: cell)?.cancel()
    }

    package func picture(of cell: Int) -> CellPicture {
        guard let made = shared.state.withLock({ $0.pictures[Key(cell: cell, side: side)] }) else { return .blank }
        guard let pixels = made else { return .failed }
        pixels.withUnsafeBytes { surface.show($0) }
        return .final(atOnce.contains(cell) ? .memory : .rendered)
    }

    package func scrolled(_ window: PrefetchWindow, visible: Range<Int>) {}

    package func finish() -> EngineFigures {
        queue.cancelAllOperations()
        queue.waitUntilAllOperationsAreFinished()
        return shared.state.withLock { $0.figures }
    }
}
