import Dispatch
import Glibc
import Synchronization

/// Looks through folders for files, and reads the headers of those that are new or have changed, on all cores.
struct FolderScanner {
    /// What was found at one name.
    enum Finding: Sendable {
        /// As the table had it, at this place.
        case known(Int)
        /// Read just now; where the table had another content at this path, its place.
        indirect case read(FileRecord, replaces: Int?)
    }

    /// What a scan found, folder by folder.
    struct Result: Sendable {
        var listings: [FolderListing]
        /// For each listing its names, by their places in it, with what was found.
        var findings: [[(name: Int, finding: Finding)]]
        var problems: [LibraryProblem]
    }

    let roots: [FilePath]
    let known: FileTable
    /// Folders to be read anew; nil for all.
    var dirty: Set<FilePath>?
    /// On which devices roots lay, and folders at which other file systems were mounted.
    var devices: [FilePath: UInt64] = [:]

    private static let chunkLength = 128

    /// A run of names in one folder: what one worker takes at a time.
    struct Chunk {
        let listing: Int
        let names: Range<Int>
    }

    /// Lists all folders, one level after the other, those of a level on all cores.
    func listings() -> (listings: [FolderListing], problems: [LibraryProblem]) {
        var listings: [FolderListing] = []
        var problems: [LibraryProblem] = []
        var seen: Set<FileIdentity> = []
        // Folders below one that cannot be read: they are taken over as they were known.
        var hidden: Set<FilePath> = []
        lazy var children = Dictionary(grouping: known.folders) { $0.parent }
        func below(_ path: FilePath) -> [FilePath] { (children[path] ?? []).filter { !roots.contains($0) } }
        func keep(_ path: FilePath, because reason: String) -> [FilePath] {
            problems.append(LibraryProblem(path: path, reason: reason))
            // Nothing is forgotten because a folder cannot be read just now.
            guard let place = known.folder(at: path) else { return [] }
            listings.append(FolderListing(path: path, known: place, isKept: true))
            hidden.formUnion(below(path))
            return below(path)
        }
        var level = roots
        while !level.isEmpty {
            let outcomes = read(level, but: hidden)
            var next: [FilePath] = []
            for (path, outcome) in zip(level, outcomes) {
                switch outcome {
                case .kept(let listing):
                    listings.append(listing)
                    next += below(path)
                    if hidden.contains(path) { hidden.formUnion(below(path)) }
                case .read(let listing, let subfolders, let identity):
                    // Met again, by a link or under another root.
                    guard seen.insert(identity).inserted else { continue }
                    if listing.names.isEmpty, subfolders.isEmpty, isUnmounted(path, identity) {
                        next += keep(path, because: "what was mounted there is gone")
                        continue
                    }
                    listings.append(listing)
                    next += subfolders.map { path.appending($0) }
                case .failed(let code):
                    // A root that is gone may be a disk that is not plugged in.
                    if Self.isGone(code), !roots.contains(path) { continue }
                    next += keep(path, because: errorText(code))
                }
            }
            level = next
        }
        listings.sort { $0.path < $1.path }
        return (listings, problems)
    }

    /// Whether an empty folder is but the place at which another file system was mounted, with files in it.
    private func isUnmounted(_ path: FilePath, _ identity: FileIdentity) -> Bool {
        guard let device = devices[path], device != identity.device else { return false }
        return known.folders.indices.contains { known.folders[$0].lies(in: path) && !known.files(of: $0).isEmpty }
    }

    /// Whether something else is at `path` than before, of which nobody may have told yet.
    private func isElsewhere(_ path: FilePath) -> Bool {
        guard let device = devices[path] else { return false }
        return FileIdentity(path)?.device != device
    }

    private enum Outcome: Sendable {
        case kept(FolderListing)
        case read(FolderListing, subfolders: [FilePath], identity: FileIdentity)
        case failed(Int32)
    }

    /// Whether a file or a folder of which the system says this is there no more.
    private static func isGone(_ code: Int32) -> Bool { code == ENOENT || code == ENOTDIR }

    /// Reads `paths`, `hidden` ones excepted.
    ///
    /// `nonisolated(unsafe)`: each iteration writes the one element that is its own.
    private func read(_ paths: [FilePath], but hidden: Set<FilePath>) -> [Outcome] {
        var outcomes = [Outcome](repeating: .failed(0), count: paths.count)
        outcomes.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let target = buffer
            DispatchQueue.concurrentPerform(iterations: paths.count) { index in
                let place = known.folder(at: paths[index])
                let isClean = dirty?.contains(paths[index]) == false && !isElsewhere(paths[index])
                if let place, isClean || hidden.contains(paths[index]) {
                    target[index] = .kept(FolderListing(path: paths[index], known: place, isKept: true))
                    return
                }
                var listing = FolderListing(path: paths[index], known: place)
                do throws(FolderListing.Unreadable) {
                    let (subfolders, identity) = try listing.read(inside: roots)
                    target[index] = .read(listing, subfolders: subfolders, identity: identity)
                } catch {
                    target[index] = .failed(error.code)
                }
            }
        }
        return outcomes
    }

    /// The work that `listings` make.
    static func chunks(_ listings: [FolderListing]) -> [Chunk] {
        listings.indices.flatMap { index in
            stride(from: 0, to: listings[index].names.count, by: chunkLength).map { start in
                Chunk(listing: index, names: start..<min(start + chunkLength, listings[index].names.count))
            }
        }
    }

    /// Does `chunks`, on all cores; findings are in the order of the names.
    ///
    /// `nonisolated(unsafe)`: each iteration writes the one element of `results` that is its own, and nobody reads
    /// them before all are done.
    func run(
        _ chunks: ArraySlice<Chunk>, of listings: [FolderListing], problems: inout [LibraryProblem]
    ) -> [[(name: Int, finding: Finding)]] {
        let found = Mutex<[LibraryProblem]>([])
        var results = [[(name: Int, finding: Finding)]](repeating: [], count: chunks.count)
        results.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let target = buffer
            DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
                var problems: [LibraryProblem] = []
                target[index] = work(chunks[chunks.startIndex + index], listings, &problems)
                if !problems.isEmpty { found.withLock { $0 += problems } }
            }
        }
        problems += found.withLock { $0 }.sorted { $0.path < $1.path }
        return results
    }

    private func work(
        _ chunk: Chunk, _ listings: [FolderListing], _ problems: inout [LibraryProblem]
    ) -> [(name: Int, finding: Finding)] {
        let listing = listings[chunk.listing]
        let folder = listing.path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard folder >= 0 else { return unopened(chunk, listing, errno, &problems) }
        defer { close(folder) }
        var findings: [(name: Int, finding: Finding)] = []
        findings.reserveCapacity(chunk.names.count)
        let now = ContentStamp.now()
        var terminated = [CChar](repeating: 0, count: 256)
        // Both sides are in order, so the next name mostly is the next file that was known.
        var guess = 0
        for index in chunk.names {
            let range = listing.names[index]
            guard range.count < terminated.count else { continue }
            listing.bytes.withUnsafeBytes { bytes in
                terminated.withUnsafeMutableBytes {
                    $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
            }
            terminated[range.count] = 0
            var status = stat()
            let isThere = fstatat(folder, terminated, &status, 0) == 0
            let code = isThere ? 0 : errno
            guard isThere ? status.st_mode & S_IFMT == S_IFREG : !Self.isGone(code) else { continue }
            let place = listing.known.flatMap { folder in
                listing.bytes.withUnsafeBytes { bytes in
                    known.file(named: UnsafeRawBufferPointer(rebasing: bytes[range]), in: folder, near: guess)
                }
            }
            /// Nothing is forgotten because a file cannot be looked at just now.
            func keep(because code: Int32) {
                if Self.isGone(code) { return }
                let path = listing.path.appending(listing.name(index))
                problems.append(LibraryProblem(path: path, reason: errorText(code)))
                if let place { findings.append((index, .known(place))) }
            }
            if !isThere {
                keep(because: code)
                continue
            }
            if let place {
                guess = place + 1
                if known.records[place].isCurrent(ContentStamp(status, now: 0)) {
                    findings.append((index, .known(place)))
                    continue
                }
            }
            let name = listing.name(index)
            let file = openat(folder, terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard file >= 0 else {
                keep(because: errno)
                continue
            }
            defer { close(file) }
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let record = FileRecord(file: file, stamp: ContentStamp(status, now: now), name: name)
            findings.append((index, .read(record, replaces: place)))
        }
        return findings
    }

    /// What becomes of a chunk whose folder cannot be opened: its files stay as they were known.
    private func unopened(
        _ chunk: Chunk, _ listing: FolderListing, _ code: Int32, _ problems: inout [LibraryProblem]
    ) -> [(name: Int, finding: Finding)] {
        if Self.isGone(code) { return [] }
        // Once for a folder, whatever the number of its chunks.
        if chunk.names.lowerBound == 0 {
            problems.append(LibraryProblem(path: listing.path, reason: errorText(code)))
        }
        guard let folder = listing.known else { return [] }
        return chunk.names.compactMap { index in
            let place = listing.bytes.withUnsafeBytes { bytes in
                known.file(
                    named: UnsafeRawBufferPointer(rebasing: bytes[listing.names[index]]), in: folder, near: 0)
            }
            return place.map { (index, .known($0)) }
        }
    }
}
