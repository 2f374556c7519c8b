import Cameo
import Glibc

/// Opens libraries of 10,000, 100,000 and a million assets that exist in their catalogs alone.
enum Growth {
    private static let sizes = [10_000, 100_000, 1_000_000]

    /// Makes the catalogs and measures each in a process of its own.
    static func run() -> Bool {
        say("growth: first screen = albums and the newest 200 of Recents")
        say("   assets   first screen    all loaded       moments   bytes/asset   of them peak")
        var isGood = true
        for size in sizes {
            let root = workFolder.appending("synthetic-\(size)")
            let catalog = workFolder.appending("synthetic-catalog-\(size)")
            emptyFolder(root)
            let marker = catalog.appending("made")
            if contents(marker).isEmpty {
                emptyFolder(catalog)
                guard SyntheticLibrary.write(count: size, root: root, catalog: catalog) else { return false }
                write(Array("made".utf8), to: marker)
            }
            let status = LibraryBenchmark.run(
                "/proc/self/exe", ["open", root.description, catalog.description, "\(size)"])
            isGood = status == 0 && isGood
        }
        return isGood
    }

    /// Opens one library and prints a line. The folder is taken away first, so that a scan leaves the catalog alone.
    static func measure(root: FilePath, catalog: FilePath, count: Int) async {
        let before = memory("VmRSS")
        let start = seconds()
        guard let library = try? AssetLibrary(folders: [root], catalog: .folder(catalog)) else { exit(1) }
        _ = root.withCString { rmdir($0) }
        var screen: (albums: Double, recents: Double) = (0, 0)
        for await state in library.albums() {
            guard let albums = state.list else { continue }
            if albums.isEmpty { exit(1) }
            screen.albums = seconds() - start
            break
        }
        var loaded = 0.0
        for await state in library.assets() {
            guard let assets = state.list else { continue }
            if screen.recents == 0 {
                let shown = assets.suffix(200).reduce(0) { $0 + $1.bytes }
                if shown > 0 { screen.recents = seconds() - start }
            }
        }
        // The scan has ended, for want of the folder, when all was loaded.
        let snapshot = library.snapshot
        if snapshot.count == count { loaded = seconds() - start }
        let resident = memory("VmRSS") - before
        let peak = memory("VmHWM") - before
        let began = seconds()
        let moments = snapshot.moments()
        let sum = moments.reduce(0) { $0 + $1.assets.count }
        let grouping = seconds() - began
        let perAsset = Double(resident) / Double(count)
        func column(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        say(
            column("\(count)", 9) + column(rounded(max(screen.albums, screen.recents) * 1000) + " ms", 15)
                + column(rounded(loaded * 1000) + " ms", 14) + column(rounded(grouping * 1000) + " ms", 14)
                + column(rounded(perAsset, 0), 14) + column(rounded(Double(peak) / Double(count), 0), 15)
                + "   (\(moments.count) moments)")
        let isGood =
            sum == count && loaded > 0 && max(screen.albums, screen.recents) < 0.2 && grouping < 2
            && (count < 1_000_000 || perAsset < 400)
        exit(isGood ? 0 : 1)
    }
}
