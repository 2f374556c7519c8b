import Cameo
import Glibc

/// Finds the inputs under the paths given, folder by folder, so that only one folder's names are held at a time.
///
/// All paths given are laid over each other: what two of them hold at the same place below them is one folder of
/// outputs, and is named together. A file that several of them lead to is one input wherever its outputs would have the
/// same place; where there are no outputs, it is one anyway.
struct InputWalker {
    /// How outputs are named; nil where there are none.
    let naming: OutputNaming?
    /// What is found there is not read as input.
    let outputFolder: FileIdentity?
    /// Told of folders that cannot be read; returns false to stop.
    let unreadable: (FilePath, String) -> Bool
    /// Told of every input; returns false to stop.
    let emit: (BatchInput) -> Bool

    private struct Folder {
        let path: FilePath
        let identity: FileIdentity
        /// The folders it lies in, itself included: one of them met again is a loop.
        let ancestors: Set<FileIdentity>
    }

    private struct Entry {
        let path: FilePath
        let isNamed: Bool
    }

    /// Where a name stands, whatever way leads there. Two links to one file are two places.
    private struct Place: Hashable {
        /// Nil where there is no such folder.
        let folder: FileIdentity?
        let name: FilePath
    }

    func walk(_ paths: [FilePath]) {
        var folders: [Folder] = []
        var entries: [Entry] = []
        var starts: Set<FileIdentity> = []
        for path in paths {
            var status = stat()
            if path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR {
                let identity = FileIdentity(status)
                guard starts.insert(identity).inserted else { continue }
                folders.append(Folder(path: path, identity: identity, ancestors: [identity]))
            } else {
                entries.append(Entry(path: path, isNamed: true))
            }
        }
        // One path leads nowhere twice.
        var seen = Seen(places: paths.count > 1 ? [] : nil)
        _ = visit(folders, entries, at: FilePath(""), &seen)
    }

    /// What the walk has come by so far.
    private struct Seen {
        /// The places of the inputs; nil where none can come twice.
        var places: Set<Place>?
        /// The folders that links led to. Each is walked by the first of its links alone, or a few folders with two links
        /// to each next would be walked more often than there is time.
        var linked: Set<FileIdentity> = []
    }

    private func visit(
        _ folders: [Folder], _ named: [Entry], at relative: FilePath, _ seen: inout Seen
    ) -> Bool {
        if naming != nil { seen.places?.removeAll() }
        // Those that are named come first, and so get a result whatever they are.
        var entries = named.filter { seen.places?.insert(Self.place(of: $0.path)).inserted != false }
        var below: [FilePath: [Folder]] = [:]
        for folder in folders {
            guard let names = FolderReader.names(in: folder.path) else {
                if !unreadable(folder.path, String(cString: strerror(errno))) { return false }
                continue
            }
            for name in names where name.bytes.first != UInt8(ascii: ".") {
                let path = folder.path.appending(name)
                var status = stat()
                guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                    if seen.places?.insert(Place(folder: folder.identity, name: name)).inserted != false {
                        entries.append(Entry(path: path, isNamed: false))
                    }
                    continue
                }
                let identity = FileIdentity(status)
                if folder.ancestors.contains(identity) || identity == outputFolder { continue }
                if path.isLink, !seen.linked.insert(identity).inserted { continue }
                below[name, default: []].append(
                    Folder(path: path, identity: identity, ancestors: folder.ancestors.union([identity])))
            }
        }
        let inputs = naming == nil ? entries : withoutBystanders(entries)
        let names = naming?.stems(for: inputs.map(\.path)) ?? Array(repeating: [], count: inputs.count)
        for (entry, stems) in zip(inputs, names) {
            let stems = stems.map { relative.appending($0) }
            if !emit(BatchInput(path: entry.path, stems: stems, isNamed: entry.isNamed)) { return false }
        }
        for name in below.keys.sorted() {
            if !visit(below[name] ?? [], [], at: relative.appending(name), &seen) { return false }
        }
        return true
    }

    private static func place(of path: FilePath) -> Place {
        let folder = FileIdentity(path.parent.bytes.isEmpty ? "." : path.parent)
        return Place(folder: folder, name: folder == nil ? path : path.lastComponent)
    }

    /// Leaves out a text beside a picture of the same stem, which would otherwise change the picture's output name.
    private func withoutBystanders(_ entries: [Entry]) -> [Entry] {
        var counts: [FilePath: Int] = [:]
        for entry in entries { counts[entry.path.stemAndExtension.stem, default: 0] += 1 }
        return entries.filter { entry in
            entry.isNamed || counts[entry.path.stemAndExtension.stem] == 1 || ImageFormat.isNamedLikePicture(entry.path)
                || OpenedImage.looksLikePicture(entry.path)
        }
    }
}

extension FilePath {
    /// Whether a link has this name, wherever it leads.
    fileprivate var isLink: Bool {
        var status = stat()
        return withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
