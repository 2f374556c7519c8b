import Cameo
import Dispatch
import Glibc
import PickerServer

/// A server that is shown to somebody until it is done with.
struct BrowserRun {
    let server: PickerServer
    let pipeline: ImagePipeline
    let console: Console
    /// Ctrl-C, from the beginning of `wait` on.
    let interruption = Interruption()
    private let library: AssetLibrary
    private let store: ThumbnailStore?

    init(
        _ paths: [FilePath], _ settings: BrowserSettings, _ configuration: PickerServer.Configuration,
        console: Console
    ) throws {
        self.console = console
        library = try AssetLibrary(folders: paths, catalog: settings.catalog)
        store = settings.store(console: console)
        pipeline = settings.pipeline(for: library, store: store, console: console)
        var configuration = configuration
        configuration.port = settings.port
        configuration.type = settings.type
        configuration.title = paths.map { $0.lastComponent.description }.joined(separator: ", ")
        server = try PickerServer(library, pipeline: pipeline, configuration)
    }

    /// Shows the address, opens it where there is a screen, and waits. Nil if Ctrl-C ended it, or if nothing can be
    /// picked.
    func wait(opens: Bool) -> PickerOutcome? {
        let done = DispatchSemaphore(value: 0)
        server.picker?.onFinish(on: .global()) { _ in done.signal() }
        interruption.observe { done.signal() }
        let launcher = opens ? BrowserLauncher(server.address) : nil
        // A window that is closed can be opened again, so this goes on.
        console.note(
            (launcher == nil ? "Open \(server.address)" : "If no window opens: \(server.address)")
                + "\nClosing the window does not end this; Ctrl-C does.")
        done.wait()
        launcher?.remove()
        server.finish()
        writeDown()
        pipeline.endIdleWorkers()
        return server.picker?.outcome
    }

    /// Writes what was made a moment ago, which is not made again the next time then. Nobody waits for a picture that
    /// takes long.
    private func writeDown() {
        let idle = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [pipeline] in
            pipeline.waitUntilIdle()
            idle.signal()
        }
        _ = idle.wait(timeout: .now() + 1)
        store?.flush()
        library.flushNotes()
    }
}
