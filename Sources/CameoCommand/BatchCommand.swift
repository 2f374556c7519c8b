import Cameo
import Transfer

/// What `thumbnails` and `avatar` do once they know their options.
enum BatchCommand {
    static func run(
        _ arguments: [FilePath], table: CommandTable<BatchSettings>, settings defaults: BatchSettings
    ) throws(UsageError) -> ExitStatus {
        var settings = defaults
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        try settings.check()
        guard let folder = settings.output else { throw UsageError(message: "where to? -o DIR is missing") }
        if paths.isEmpty, settings.manifest == nil, settings.initials == nil {
            throw UsageError(message: "nothing to do: name pictures or folders, or a --manifest")
        }
        try RemoteAddress.refuse(paths + [folder] + (settings.manifest.map { [$0] } ?? []))
        let console = Console(progress: settings.progress)
        if let name = settings.initials {
            if !paths.isEmpty || settings.manifest != nil { throw UsageError(message: "--initials takes no pictures") }
            return PlaceholderOutput.write(name, settings, folder: folder, console: console)
        }
        let run: BatchRun
        do throws(OutputError) {
            run = try BatchRun(settings, table: table, folder: folder, console: console)
        } catch {
            console.message("\(error)")
            return .environment
        }
        return try run.run(paths)
    }
}
