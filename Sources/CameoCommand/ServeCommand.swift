import Cameo
import PickerServer

/// `cameo serve`: a library in the browser, to be looked at until Ctrl-C.
enum ServeCommand {
    static let table = CommandTable<BrowserSettings>(
        command: "serve", operands: "PATH...",
        summary: "Shows the photos of folders in a browser on this machine: albums, moments, single pictures. "
            + "Nothing can be picked. Ends with Ctrl-C.",
        groups: [("Options", [BrowserSettings.typeOption] + BrowserSettings.options)])

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = BrowserSettings()
        let console = Console()
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        if paths.isEmpty { throw UsageError(message: "nothing to do: name a folder") }
        do {
            let run = try BrowserRun(paths, settings, PickerServer.Configuration(), console: console)
            _ = run.wait(opens: settings.opens)
            return .interrupted
        } catch {
            console.message("\(error)")
            return error is PickerServerError ? .environment : .someFailed
        }
    }
}
