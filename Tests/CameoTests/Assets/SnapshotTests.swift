import Testing

@testable import Cameo

/// What readers hold while the disk changes under them.
@Suite struct SnapshotTests {
    let library = TestLibrary()

    @Test func aSnapshotStaysAsItWas() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        let open = try library.open()
        let before = try await open.scan()
        library.remove("a.jpg")
        library.write("b.jpg", MadeUp.jpeg(salt: "b"))
        let after = try await open.scan()
        #expect(before.names == ["a.jpg"])
        #expect(after.names == ["b.jpg"])
        #expect(await before.assets(of: .smart(.recents), library: open).updated().map(\.id) == after.recents.map(\.id))
    }

    @Test func albumsOfFoldersHideWhenTheyAreEmptyUnlessAskedFor() async throws {
        library.makeFolder("full")
        library.makeFolder("empty")
        library.write("full/old.jpg", MadeUp.jpeg(date: "2020:01:01 00:00:00", salt: "o"))
        library.write("full/new.jpg", MadeUp.jpeg(date: "2021:01:01 00:00:00", salt: "n"))
        let snapshot = try await library.scan()
        #expect(snapshot.albums().map(\.title) == ["Recents", "full"])
        #expect(snapshot.albums()[1].keyAsset == snapshot.asset(named: "new.jpg")?.id)
        #expect(snapshot.albums(includingEmpty: true).map(\.title).suffix(3) == ["photos", "empty", "full"])
        let folder = snapshot.assets(of: .folder(library.path("full")))
        #expect(folder.title == "full")
        #expect(folder.map { $0.path.lastComponent.description } == ["old.jpg", "new.jpg"])
    }

    @Test func aListFindsEachOfItsAssets() async throws {
        for index in 0..<30 {
            library.write("\(index).jpg", MadeUp.jpeg(date: "2020:01:01 00:00:\(10 + index % 4)", salt: "\(index)"))
        }
        let snapshot = try await library.scan()
        for index in snapshot.recents.indices {
            #expect(snapshot.recents.index(of: snapshot.recents.id(at: index)) == index)
        }
        #expect(snapshot.assets(of: .smart(.videos)).index(of: snapshot.recents.id(at: 0)) == nil)
    }

    @Test(arguments: 0..<8) func whateverHappensOnDiskTheNextScanIsWhatANewLibraryFinds(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let open = try library.open()
        var before = try await open.scan()
        library.makeFolder("below")
        for step in 0..<12 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let names = (0..<12).flatMap { ["\($0).jpg", "below/\($0).jpg", "\($0).mov"] }
                let name = names.randomElement(using: &random) ?? "0.jpg"
                let other = names.filter { $0.hasSuffix("jpg") }.randomElement(using: &random) ?? "0.jpg"
                switch Int.random(in: 0...4, using: &random) {
                case 0: library.remove(name)
                case 1 where ContentStamp(path: library.path(name)) != nil && name.hasSuffix("jpg"):
                    library.move(name, to: other)
                case _ where name.hasSuffix("mov"): library.write(name, MadeUp.film(64, 48, salt: "\(step)"))
                default:
                    let day = 10 + Int.random(in: 0...9, using: &random)
                    library.write(
                        name,
                        MadeUp.jpeg(date: "2025:06:\(day) 10:00:00", salt: "\(Int.random(in: 0...30, using: &random))"))
                }
            }
            let after = try await open.scan()
            after.table.checkInvariants()
            let fresh = try await AssetLibrary(folders: [library.root], catalog: .none).scan()
            #expect(after.recents.map(\.path) == fresh.recents.map(\.path))
            #expect(after.recents.map(\.subtypes) == fresh.recents.map(\.subtypes))
            let reopened = try await library.scan()
            #expect(reopened.recents.map(\.id) == after.recents.map(\.id))
            check(LibraryChange(before: before, after: after))
            before = after
        }
    }

    private func check(_ change: LibraryChange) {
        let albums = Set(change.before.albums().map(\.kind)).union(change.after.albums().map(\.kind))
        for kind in albums {
            let list = change.assets(of: kind)
            let (old, new) = (change.before.assets(of: kind), change.after.assets(of: kind))
            let moved = Set(list.moved.map(\.from))
            var ids = old.indices.filter { !list.removed.contains($0) && !moved.contains($0) }.map { old.id(at: $0) }
            let arrivals =
                list.inserted.map { ($0, new.id(at: $0)) } + list.moved.map { ($0.to, old.id(at: $0.from)) }
            for (index, id) in arrivals.sorted(by: { $0.0 < $1.0 }) { ids.insert(id, at: index) }
            #expect(ids == new.map(\.id))
            for index in new.indices where !list.inserted.contains(index) {
                guard let former = change.before.asset(new.id(at: index)), old.contains(where: { $0.id == former.id })
                else { continue }
                let differs = former.stamp.matches(new[index].stamp) && former.path == new[index].path
                if !differs { #expect(list.changed.contains(index)) }
            }
        }
        #expect(Set(change.removed) == Set(change.before.recents.map(\.id)).subtracting(change.after.recents.map(\.id)))
    }
}
