import Foundation
import Synchronization
import Testing

@testable import Cameo

/// What becomes of watching when the folders themselves are replaced, go and come back, or are unmounted.
@Suite struct DisplacedFolderTests {
    let library = TestLibrary()

    /// What a watcher tells, to be waited for.
    private final class Ear: Sendable {
        private let heard = Mutex<Set<FilePath>>([])
        var hear: @Sendable (FolderEvent) -> Void {
            { [self] event in if case .changed(let folders) = event { heard.withLock { $0.formUnion(folders) } } }
        }

        /// Waits until a change of `path` is told, which is then forgotten; false where none is for ten seconds.
        func hears(of path: FilePath) async throws -> Bool {
            for _ in 0..<500 * Patience.factor {
                if heard.withLock({ $0.remove(path) }) != nil { return true }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }
    }

    /// A file system in memory on a folder; nil, with a word, where none can be mounted. It is unmounted by `deinit`.
    private final class Disk {
        private let path: String

        init?(on path: FilePath) {
            self.path = path.description
            guard mount() else {
                print("skipped: no file system can be mounted here")
                return nil
            }
        }

        deinit { _ = Self.run("/bin/umount", ["-l", path]) }

        func mount() -> Bool { Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]) }

        /// Tried for a while, since a scan may have a folder of it open.
        func unmount() -> Bool {
            for _ in 0..<100 {
                if Self.run("/bin/umount", [path]) { return true }
                usleep(20_000)
            }
            return false
        }

        private static func run(_ command: String, _ arguments: [String]) -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: command)
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }

    /// Waits until the library is as wanted, and fails after ten seconds.
    private func wait(_ open: AssetLibrary, until condition: (LibrarySnapshot) -> Bool) async throws {
        for _ in 0..<500 * Patience.factor {
            if condition(open.snapshot) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("never came: \(open.snapshot.names)")
    }

    /// A library in a folder that can be moved.
    private func photos() throws -> AssetLibrary {
        try AssetLibrary(folders: [library.path("photos")], catalog: .folder(library.catalog))
    }

    @Test func aFolderInAnothersPlaceIsWatchedInItsStead() async throws {
        for name in ["a", "a/below", "b", "b/below"] { library.makeFolder(name) }
        let (a, below) = (library.path("a"), library.path("a/below"))
        let ear = Ear()
        let watcher = try #require(InotifyWatcher(report: ear.hear))
        #expect(watcher.watch([a, below]) == [a, below])
        library.move("a", to: "former")
        library.move("b", to: "a")
        // What is in it is as new as the folder itself.
        #expect(try await ear.hears(of: below))
        #expect(watcher.watch([a, below]) == [a, below])
        library.write("a/below/a.jpg", MadeUp.jpeg())
        #expect(try await ear.hears(of: below))
        library.write("former/below/a.jpg", MadeUp.jpeg())
        library.write("a/a.jpg", MadeUp.jpeg())
        #expect(try await ear.hears(of: a))
        watcher.stop()
    }

    @Test func aFolderThatSomebodyHoldsOpenIsWatchedInItsNewPlaceAndSoIsWhatIsMadeAnew() async throws {
        library.makeFolder("a")
        let (root, a) = (library.root, library.path("a"))
        let ear = Ear()
        let watcher = try #require(InotifyWatcher(report: ear.hear))
        #expect(watcher.watch([root, a]) == [root, a])
        // As a shell does whose working folder it is: the system says nothing of it until that ends.
        let file = a.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY) }
        defer { close(file) }
        #expect(a.withCString { rmdir($0) } == 0)
        library.makeFolder("a")
        #expect(try await ear.hears(of: a))
        #expect(watcher.watch([root, a]) == [a])
        // Renamed there and back it is the same, and nothing was missed.
        library.move("a", to: "elsewhere")
        library.move("elsewhere", to: "a")
        #expect(try await ear.hears(of: a))
        #expect(watcher.watch([root, a]) == [])
        library.write("a/a.jpg", MadeUp.jpeg())
        #expect(try await ear.hears(of: a))
        watcher.stop()
    }

    @Test func aLibraryThatIsReplacedIsFollowed() async throws {
        for (name, sub) in [("photos", "photos/sub"), ("other", "other/sub")] {
            library.makeFolder(name)
            library.makeFolder(sub)
            library.write("\(sub)/a.jpg", MadeUp.jpeg(salt: name))
        }
        library.write("other/b.jpg", MadeUp.jpeg(salt: "b"))
        let open = try photos()
        #expect(open.startWatching())
        #expect(await open.settled().names == ["a.jpg"])
        library.move("photos", to: "former")
        library.move("other", to: "photos")
        try await wait(open) { $0.count == 2 }
        library.write("photos/sub/c.jpg", MadeUp.jpeg(salt: "c"))
        try await wait(open) { $0.count == 3 }
        open.stopWatching()
    }

    @Test func aLibraryThatIsGoneIsKeptAndSeenWhenItIsBack() async throws {
        library.makeFolder("photos")
        library.write("photos/a.jpg", MadeUp.jpeg(salt: "a"))
        let open = try photos()
        #expect(open.startWatching(round: .milliseconds(50)))
        #expect(await open.settled().count == 1)
        library.move("photos", to: "away")
        await #expect(throws: LibraryError.self) { try await open.scan() }
        #expect(open.snapshot.names == ["a.jpg"])
        library.write("away/b.jpg", MadeUp.jpeg(salt: "b"))
        library.move("away", to: "photos")
        try await wait(open) { $0.count == 2 }
        library.remove("photos/b.jpg")
        try await wait(open) { $0.count == 1 }
        library.remove("photos/a.jpg")
        #expect(library.path("photos").withCString { rmdir($0) } == 0)
        await #expect(throws: LibraryError.self) { try await open.scan() }
        library.makeFolder("photos")
        library.write("photos/c.jpg", MadeUp.jpeg(salt: "c"))
        try await wait(open) { $0.names == ["c.jpg"] }
        open.stopWatching()
    }

    @Test func aLibraryBelowAFolderThatIsReplacedIsFollowed() async throws {
        for name in ["above", "above/photos", "other", "other/photos"] { library.makeFolder(name) }
        library.write("above/photos/a.jpg", MadeUp.jpeg(salt: "a"))
        library.write("other/photos/b.jpg", MadeUp.jpeg(salt: "b"))
        let open = try AssetLibrary(folders: [library.path("above/photos")], catalog: .none)
        #expect(open.startWatching(round: .milliseconds(50)))
        #expect(await open.settled().names == ["a.jpg"])
        library.move("above", to: "former")
        library.move("other", to: "above")
        try await wait(open) { $0.names == ["b.jpg"] }
        library.write("above/photos/c.jpg", MadeUp.jpeg(salt: "c"))
        try await wait(open) { $0.count == 2 }
        open.stopWatching()
    }

    @Test(arguments: ["", "card"])
    func nothingIsForgottenWhereAFolderIsLookedAtBeforeItIsToldThatItsDiskIsUnmounted(place: String) async throws {
        library.makeFolder(place)
        guard let disk = Disk(on: library.path(place)) else { return }
        library.makeFolder("\(place)/sub")
        library.write("\(place)/sub/a.jpg", MadeUp.jpeg())
        let open = try library.open()
        #expect(try await open.scan().names == ["a.jpg"])
        #expect(disk.unmount())
        let outcome = open.perform(dirty: [library.path("\(place)/sub")], ScanToken())
        if place.isEmpty { #expect(throws: LibraryError.self) { try outcome.get() } }
        #expect(open.snapshot.names == ["a.jpg"] && open.catalog.load()?.records.count == 1)
    }

    @Test func whatWasOnADiskThatIsUnmountedIsNotForgotten() async throws {
        for place in ["", "card"] {
            library.makeFolder(place)
            guard let disk = Disk(on: library.path(place)) else { return }
            library.makeFolder("\(place)/sub")
            library.write("\(place)/sub/a.jpg", MadeUp.jpeg())
            let open = try library.open()
            #expect(open.startWatching(round: .milliseconds(50)))
            #expect(await open.settled().names == ["a.jpg"])
            // A new catalog is told, too.
            _ =
                open.catalog.use { (_) throws(DatabaseError) in throw DatabaseError(code: 11, text: "damaged") }
                as Void?
            try await open.scan()
            #expect(disk.unmount())
            try await wait(open) { place.isEmpty || $0.problems.map(\.path) == [library.path(place)] }
            if place.isEmpty { await #expect(throws: LibraryError.self) { try await open.scan() } }
            #expect(open.snapshot.names == ["a.jpg"])
            #expect(open.catalog.load()?.records.count == 1)
            // Nor does it look so to a process that begins now, or to the next.
            for _ in 0..<2 {
                let next = try library.open()
                if place.isEmpty {
                    await #expect(throws: LibraryError.self) { try await next.scan() }
                } else {
                    #expect(try await next.scan().problems.map(\.path) == [library.path(place)])
                }
                #expect(next.snapshot.names == ["a.jpg"])
                #expect(next.catalog.load()?.records.count == 1)
            }
            // Another one in its place.
            #expect(disk.mount())
            library.write("\(place)/b.jpg", MadeUp.jpeg(salt: "b"))
            try await wait(open) { $0.names == ["b.jpg"] }
            library.remove("\(place)/b.jpg")
            try await wait(open) { $0.count == 0 && $0.problems.isEmpty }
            // What was emptied is no disk that is missed.
            #expect(disk.unmount())
            #expect(try await library.scan().problems.isEmpty)
            open.stopWatching()
        }
    }
}
