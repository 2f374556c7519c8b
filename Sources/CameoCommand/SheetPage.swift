import Cameo
import Glibc
import Synchronization

/// One page of a contact sheet, drawn by as many threads as there are processors.
final class SheetPage: Sendable {
    private struct State {
        var sheet: ContactSheet
        var done = 0
        var failed = 0
    }

    private let inputs: [FilePath]
    private let rendition: Rendition
    private let options: RenderOptions
    private let console: Console
    private let state: Mutex<State>

    init(layout: ContactSheet.Layout, inputs: [FilePath], settings: SheetCommand.Settings, console: Console) {
        self.inputs = inputs
        self.console = console
        options = settings.options
        let isCircle = settings.shape == .circle
        rendition = Rendition(
            size: layout.cell, mode: isCircle ? .fill : settings.mode, shape: settings.shape,
            focus: (settings.focus ?? (isCircle ? .faces() : .centre)).framed(isCircle ? .head : .picture),
            enlarges: isCircle)
        state = Mutex(State(sheet: ContactSheet(layout: layout, count: inputs.count, background: settings.background)))
    }

    func drawn() -> (pixels: PixelBuffer, failed: Int) {
        let queue = RenderQueue(
            workers: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), memoryBudget: MemoryBudget.standard)
        for (index, path) in inputs.enumerated() { queue.submit { [self] in prepared(path, at: index) } }
        queue.waitUntilIdle()
        return state.withLock { ($0.sheet.pixels, $0.failed) }
    }

    private func prepared(_ path: FilePath, at index: Int) -> RenderQueue.Prepared? {
        do throws(RenderError) {
            let opened = try OpenedImage(.file(path), options: options)
            return RenderQueue.Prepared(cost: opened.cost(of: [rendition])) { [self] in
                do throws(RenderError) {
                    let picture = try Renderer(options: options, faces: .standard).render(opened, [rendition]).images[0]
                        .pixels
                    place(path, at: index) { $0.draw(picture, at: index) }
                } catch {
                    fail(path, error, at: index)
                }
            }
        } catch {
            fail(path, error, at: index)
            return nil
        }
    }

    private func fail(_ path: FilePath, _ error: RenderError, at index: Int) {
        console.message("\(error)")
        place(path, at: index, isFailure: true) { $0.drawFailure(error.kind, at: index) }
    }

    private func place(
        _ path: FilePath, at index: Int, isFailure: Bool = false,
        _ draw: (inout ContactSheet) -> Void
    ) {
        let done = state.withLock { state in
            draw(&state.sheet)
            state.sheet.label(path.lastComponent.description, at: index)
            state.done += 1
            if isFailure { state.failed += 1 }
            return state.done
        }
        console.progress("\(done) of \(inputs.count) drawn")
    }
}
