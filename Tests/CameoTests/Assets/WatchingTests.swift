import Synchronization
import Testing

@testable import Cameo

/// What happens on disk while a library is open.
@Suite struct WatchingTests {
    let library = TestLibrary()

    /// Waits until the library is as wanted, and fails after ten seconds, under a sanitizer after more.
    private func wait(_ open: AssetLibrary, until condition: (LibrarySnapshot) -> Bool) async throws {
        for _ in 0..<500 * Int(Patience.factor) {
            if condition(open.snapshot) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("never came: \(open.snapshot.names)")
    }

    @Test func changesOnDiskArriveAsChangesOfLists() async throws {
        library.write("a.jpg", MadeUp.jpeg(date: "2025:06:01 10:00:00", salt: "a"))
        library.write("b.jpg", MadeUp.jpeg(date: "2025:06:01 11:00:00", salt: "b"))
        let open = try library.open()
        try await open.scan()
        #expect(open.startWatching())
        _ = await open.settled()
        var changes = open.changes().makeAsyncIterator()
        library.write("c.jpg", MadeUp.jpeg(date: "2025:06:01 09:00:00", salt: "c"))
        library.remove("b.jpg")
        let first = try #require(await changes.next())
        // The burst may have been cut in two; together they say the same.
        if first.after.count == 2, first.after.names == ["c.jpg", "a.jpg"] {
            #expect(first.assets().inserted == [0])
            #expect(first.assets().removed == [1])
        }
        try await wait(open) { $0.names == ["c.jpg", "a.jpg"] }
        open.stopWatching()
    }

    @Test func foldersThatAppearGoAndAreRenamedAreFollowed() async throws {
        let open = try library.open()
        try await open.scan()
        #expect(open.startWatching())
        _ = await open.settled()
        library.makeFolder("new")
        library.makeFolder("new/below")
        library.write("new/below/a.jpg", MadeUp.jpeg())
        try await wait(open) { $0.names == ["a.jpg"] }
        let id = open.snapshot.recents[0].id
        library.move("new", to: "old")
        try await wait(open) { $0.recents.first?.path == library.path("old/below/a.jpg") }
        #expect(open.snapshot.recents[0].id == id)
        library.write("old/below/b.jpg", MadeUp.jpeg(salt: "b"))
        try await wait(open) { $0.count == 2 }
        open.stopWatching()
    }

    @Test func aBurstOfTenThousandChangesLosesNone() async throws {
        let open = try library.open()
        try await open.scan()
        #expect(open.startWatching())
        _ = await open.settled()
        for index in 0..<2_500 {
            library.write("\(index).jpg", MadeUp.jpeg(salt: "\(index)"))
            if index % 3 == 0 { library.move("\(index).jpg", to: "moved \(index).jpg") }
            if index % 5 == 0 { library.remove("\(index).jpg") }
        }
        let expected = try await AssetLibrary(folders: [library.root], catalog: .none).scan().count
        try await wait(open) { $0.count == expected }
        open.stopWatching()
    }

    @Test func whenTheSystemLosesCountAllFoldersAreLookedAt() async throws {
        let open = try library.open()
        try await open.scan()
        let watcher = SilentWatcher()
        open.startWatching(watcher)
        _ = await open.settled()
        library.write("a.jpg", MadeUp.jpeg())
        open.take(.changed([library.path("elsewhere")]))
        _ = await open.settled()
        #expect(open.snapshot.count == 0)
        open.take(.lostCount)
        _ = await open.settled()
        #expect(open.snapshot.count == 1)
        open.stopWatching()
        #expect(watcher.isStopped.withLock { $0 })
    }
}

/// A watcher that never tells anything.
private final class SilentWatcher: FolderWatching {
    let isStopped = Mutex(false)

    func watch(_ folders: [FilePath]) -> Set<FilePath> { [] }
    func stop() { isStopped.withLock { $0 = true } }
}
