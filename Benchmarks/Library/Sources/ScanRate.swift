import Cameo
import Glibc

/// Scans a library of small photos, first and again, beside exiftool on the same files.
struct ScanRate {
    let files: Int

    /// Larger samples are left out: the library is to be of small photos.
    private static let largest = 150_000
    private static let wanted = 20.0

    func run() async -> Bool {
        let folder = workFolder.appending("photos")
        let count = make(folder)
        say("scan: \(count) files, none of the catalog known, the files in the page cache")
        // A file that has just changed is read again, so that no later change goes unseen; let them settle.
        sleep(3)
        let catalog = workFolder.appending("catalog")
        var first: [Double] = []
        var again: [Double] = []
        var reopened: [Double] = []
        for _ in 0..<3 {
            emptyFolder(catalog)
            guard let library = try? AssetLibrary(folders: [folder], catalog: .folder(catalog)) else { return false }
            first.append(await time(library, count))
            again.append(await time(library, count))
            guard let other = try? AssetLibrary(folders: [folder], catalog: .folder(catalog)) else { return false }
            reopened.append(await time(other, count))
        }
        let start = seconds()
        let status = exiftool(folder)
        let peer = seconds() - start
        let (scan, rescan, reopen) = (median(first), median(again), median(reopened))
        report("exiftool -fast2", peer)
        report("first scan", scan)
        report("second scan", rescan)
        report("second scan by a new library", reopen)
        say("  exiftool / first scan   \(rounded(peer / scan)) ×")
        say("  first / second scan     \(rounded(scan / rescan)) ×")
        say("  first / new library's   \(rounded(scan / reopen)) ×")
        return status == 0 && peer / scan >= Self.wanted && scan / rescan >= Self.wanted
    }

    private func exiftool(_ folder: FilePath) -> Int32 {
        LibraryBenchmark.run(
            "exiftool",
            [
                "-fast2", "-q", "-q", "-r", "-n", "-ImageSize", "-Orientation", "-DateTimeOriginal", "-GPSPosition",
                folder.description,
            ], quiet: true)
    }

    private func time(_ library: AssetLibrary, _ count: Int) async -> Double {
        let start = seconds()
        let found = (try? await library.scan())?.count
        let time = seconds() - start
        if found != count { say("  found \(found ?? 0) of \(count) files") }
        return time
    }

    /// Copies samples until there are enough, each made different by a few bytes at its end; returns how many.
    private func make(_ folder: FilePath) -> Int {
        let marker = workFolder.appending("photos-\(files)")
        if !contents(marker).isEmpty { return files }
        emptyFolder(folder)
        let samples = FilePath("Samples/Photos")
        var photos: [(name: FilePath, bytes: [UInt8])] = []
        for album in FolderReader.names(in: samples) ?? [] {
            for name in FolderReader.names(in: samples.appending(album)) ?? []
            where ImageFormat.isNamedLikePicture(name) {
                let bytes = contents(samples.appending(album).appending(name))
                if !bytes.isEmpty, bytes.count <= Self.largest { photos.append((name, bytes)) }
            }
        }
        if photos.isEmpty { return 0 }
        for index in 0..<files {
            let (name, bytes) = photos[index % photos.count]
            let album = folder.appending("Album \(index / 1000)")
            if index % 1000 == 0 { emptyFolder(album) }
            let number = withUnsafeBytes(of: UInt64(index).littleEndian) { Array($0) }
            write(bytes + number, to: album.appending(FilePath(bytes: Array("\(index) ".utf8) + name.bytes)))
        }
        write(Array("made".utf8), to: marker)
        return files
    }

    private func report(_ name: String, _ time: Double) {
        let rate = rounded(Double(files) / time, 0)
        say(
            "  \(name)" + String(repeating: " ", count: 30 - name.count) + "\(rounded(time * 1000)) ms, \(rate) files/s"
        )
    }

    private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}
