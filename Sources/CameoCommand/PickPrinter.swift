import Cameo
import Synchronization

/// Renders the profile pictures of what was picked, where any are asked for, and prints the picks in pick order.
struct PickPrinter {
    let settings: PickCommand.Settings
    let paths: [FilePath]
    let console: Console
    /// Ends the rendering, also where it came before that.
    let interruption: Interruption

    func print(_ picks: [PickedAsset]) -> ExitStatus {
        let roots = ListCommand.roots(paths)
        var results: [Int: ResultLine] = [:]
        var status = ExitStatus.done
        if settings.rendersPictures {
            do throws(OutputError) {
                (status, results) = try render(picks, roots)
            } catch {
                console.message("\(error)")
                return .environment
            }
        }
        for (place, pick) in picks.enumerated() {
            let shown = ListPrinter.shown(pick.asset.path, roots).path
            guard settings.isJSON else {
                let outputs = results[place]?.outputs?.map(\.filePath.bytes)
                (outputs ?? (settings.rendersPictures ? [] : [shown.bytes])).forEach { console.result($0) }
                continue
            }
            var line = AssetLine(pick.asset, path: shown)
            line.crop = results[place]?.crop ?? pick.edit?.crop.components
            line.quarterTurns = pick.edit.flatMap { $0.quarterTurns == 0 ? nil : $0.quarterTurns }
            line.outputs = results[place]?.outputs
            line.error = results[place]?.error
            console.result(JSONLine.encode(line))
        }
        return status
    }

    /// The profile pictures, by the way that `avatar` takes; the results are told by the picks' places.
    private func render(
        _ picks: [PickedAsset], _ roots: [(real: FilePath, given: FilePath)]
    ) throws(OutputError) -> (ExitStatus, [Int: ResultLine]) {
        let results = Collected()
        let folder = settings.pictures.output ?? "."
        let run = try BatchRun(
            settings.pictures, table: AvatarCommand.table, folder: folder, console: console,
            interruption: interruption,
            sink: { line in
                if let place = line.line { results.lines.withLock { $0[place] = line } }
            })
        let stems = stems(of: picks, roots)
        let jobs = picks.enumerated().map { place, pick in
            var own = settings.pictures
            if let edit = pick.edit {
                own.focus = .rectangle(edit.crop)
                own.turn = edit.turn
            }
            return RenderJob(
                input: BatchInput(path: pick.asset.path, stems: stems[place], isNamed: true), line: place,
                settings: own)
        }
        return (run.run(jobs, of: paths), results.lines.withLock { $0 })
    }

    private final class Collected: Sendable {
        let lines = Mutex<[Int: ResultLine]>([:])
    }

    /// Names as `avatar` gives them to a folder that is walked.
    private func stems(of picks: [PickedAsset], _ roots: [(real: FilePath, given: FilePath)]) -> [[FilePath]] {
        let naming = OutputNaming(template: settings.pictures.template, outputs: settings.pictures.outputs)
        let folders = picks.map { ListPrinter.shown($0.asset.path, roots).below.parent }
        var stems = [[FilePath]](repeating: [], count: picks.count)
        for folder in Set(folders) {
            let members = picks.indices.filter { folders[$0] == folder }
            for (member, names) in zip(members, naming.stems(for: members.map { picks[$0].asset.path })) {
                stems[member] = folder.bytes.isEmpty ? names : names.map { folder.appending($0) }
            }
        }
        return stems
    }
}
