import Cameo
import Synchronization

/// One page of a contact sheet, drawn by as many threads as there are processors.
final class SheetPage: Sendable {
    private struct State {
        var sheet: ContactSheet
        var done = 0
        var failed = 0
        /// What is the matter with the machine.
        var trouble: RenderError?
    }

    private let inputs: [FilePath]
    private let rendition: Rendition
    private let options: RenderOptions
    private let isolation: Isolation
    private let console: Console
    private let state: Mutex<State>

    init(layout: ContactSheet.Layout, inputs: [FilePath], settings: SheetCommand.Settings, console: Console) {
        self.inputs = inputs
        self.console = console
        options = settings.options
        isolation = settings.isolation
        let isCircle = settings.shape == .circle
        rendition = Rendition(
            size: layout.cell, mode: isCircle ? .fill : settings.mode, shape: settings.shape,
            focus: (settings.focus ?? (isCircle ? .faces() : .centre)).framed(isCircle ? .head : .picture),
            enlarges: isCircle)
        state = Mutex(State(sheet: ContactSheet(layout: layout, count: inputs.count, background: settings.background)))
    }

    /// - Throws: Only where the machine is at fault; a picture's own fault is a tile that says so.
    func drawn() throws(RenderError) -> (pixels: PixelBuffer, failed: Int) {
        var configuration = ImagePipeline.Configuration()
        configuration.options = options
        configuration.keepsOneThread = false
        configuration.pressure = nil
        configuration.faces = .standard
        configuration.isolation = isolation
        configuration.onWeakSandbox = { [console] in console.message("the sandbox is incomplete here: \($0)") }
        let pipeline = ImagePipeline(configuration)
        for (index, path) in inputs.enumerated() {
            pipeline.submit(
                BatchRequest(.file(path), [rendition]) { [self] outcome in
                    switch outcome {
                    case .success(let outcome):
                        place(path, at: index) { $0.draw(outcome.result.images[0].pixels, at: index) }
                    case .failure(.environment(let reason)):
                        let isFirst = state.withLock { state in
                            defer { state.trouble = state.trouble ?? .environment(reason: reason) }
                            return state.trouble == nil
                        }
                        if isFirst { pipeline.callOffBatch() }
                    case .failure(let error): fail(path, error, at: index)
                    }
                })
        }
        pipeline.waitUntilIdle()
        pipeline.endIdleWorkers()
        if let trouble = state.withLock({ $0.trouble }) { throw trouble }
        return state.withLock { ($0.sheet.pixels, $0.failed) }
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
            state.sheet.label(Printable.escaped(path.lastComponent.description), at: index)
            state.done += 1
            if isFailure { state.failed += 1 }
            return state.done
        }
        console.progress("\(done) of \(inputs.count) drawn")
    }
}
