import Foundation
import Testing

@testable import Cameo
@testable import PickerServer

@Suite(.serialized)
struct ServingTests {
    private static func first(_ place: Place) throws -> Asset { try #require(place.library.snapshot.recents.first) }

    @Test("A thumbnail is the pipeline's own bytes, holds for ever under its version, and is not sent twice")
    func thumbnails() async throws {
        let place = try await Place()
        try await place.settle()
        let asset = try Self.first(place)
        let path = "/thumbnails/\(asset.id)/96"
        let answer = await place.get(path + "?v=\(asset.version)")
        let rendition = Rendition(size: PixelSize(square: 96), mode: .fill)
        let expected = try await ImagePipeline().image(for: ImageRequest(asset, rendition)).encoded()
        #expect(answer.status == 200 && answer.body == expected.bytes)
        #expect(answer.header("content-type") == "image/\(expected.format.rawValue)")
        #expect(answer.header("cache-control") == "private, max-age=31536000, immutable")
        let tag = try #require(answer.header("etag"))
        let again = await place.get(path + "?v=\(asset.version)", headers: ["If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(await place.get(path + "?v=old").header("cache-control") == "private, no-cache")
    }

    @Test(
        "A file that was just written may change again under its version, so its pictures are asked for anew each time")
    func justWritten() async throws {
        let place = try await Place(photos: 1)
        let file = place.url.appendingPathComponent("0.jpg").path
        // Written a moment ago, however long the test takes to get there.
        func date(_ hours: Double) async throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now.addingTimeInterval(hours * 3600)], ofItemAtPath: file)
            try await place.library.scan()
        }
        try await date(1)
        let racy = try Self.first(place)
        try #require(racy.stamp.isRacy)
        let path = "/thumbnails/\(racy.id)/96?v=\(racy.version)"
        let answer = await place.get(path)
        #expect(answer.status == 200 && answer.header("cache-control") == "private, no-cache")
        // A tag would be that of the next content too.
        #expect(answer.header("etag") == nil)
        try await date(-1)
        try await place.settle()
        let settled = try Self.first(place)
        let old = "/thumbnails/\(settled.id)/96?v=\(settled.version)"
        let tag = try #require(await place.get(old).header("etag"))
        #expect(await place.get(old).header("cache-control") == "private, max-age=31536000, immutable")
        #expect(await place.get(old, headers: ["If-None-Match: \(tag)"]).status == 304)
        // The tag is known by now, and the file is written again.
        try Place.photo(0).write(to: URL(fileURLWithPath: file))
        try await date(1)
        let again = try Self.first(place)
        let fresh = "/thumbnails/\(again.id)/96?v=\(again.version)"
        let guess = tag.replacing(settled.version, with: again.version)
        #expect(await place.get(fresh, headers: ["If-None-Match: \(guess)"]).status == 200)
    }

    @Test("Every module that the page's program is made of is fetched before it is asked for")
    func preloaded() async throws {
        let place = try await Place(photos: 1)
        let page = await place.get("/").text
        let announced = page.matches(of: /rel="modulepreload" href="\/(\w+\.js)"/).map { String($0.1) }
        var imported: Set<String> = []
        var unread = ["main.js"]
        while let name = unread.popLast() {
            let answer = await place.get("/\(name)")
            #expect(answer.status == 200, "\(name)")
            for match in answer.text.matches(of: /from ["']\.\/(\w+\.js)["']/) {
                if imported.insert(String(match.1)).inserted { unread.append(String(match.1)) }
            }
        }
        #expect(imported.count > 10 && Set(announced) == imported)
    }

    @Test("A pack holds the very thumbnails that are at hand, and leaves the others out")
    func packs() async throws {
        let place = try await Place()
        let list = try place.json(await place.get("/api/list"))
        let handle = try #require(list["list"] as? Int)
        let path = "/api/thumbnails?list=\(handle)&from=0&count=200&size=96"
        #expect((try place.json(await place.get(path))["places"] as? [Int]) == [])
        let ids = try #require((list["assets"] as? [String: Any])?["ids"] as? [String])
        var single: [Int: Wire.Answer] = [:]
        var pack: [String: Any] = [:]
        // A file that was written a moment ago is not kept, for it may change again unseen.
        for _ in 0..<200 where pack["places"] as? [Int] != [0, 2] {
            for index in [2, 0] { single[index] = await place.get("/thumbnails/\(ids[index])/96") }
            pack = try place.json(await place.get(path))
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(pack["places"] as? [Int] == [0, 2])
        for (index, picture) in zip([0, 2], try #require(pack["pictures"] as? [String])) {
            let parts = picture.split(separator: ",", maxSplits: 1).map(String.init)
            let answer = try #require(single[index])
            #expect(parts[0] == "data:\(answer.header("content-type") ?? "");base64")
            #expect(Data(base64Encoded: parts[1]).map(Array.init) == answer.body)
        }
        #expect((try place.json(await place.get(path.replacing("from=0", with: "from=1")))["places"] as? [Int]) == [2])
        #expect(
            (try place.json(await place.get(path.replacing("size=96", with: "size=128")))["places"] as? [Int]) == [])
    }

    @Test("A file that is overwritten gets another version and another tag")
    func versions() async throws {
        let place = try await Place(photos: 1)
        let old = try Self.first(place)
        try Place.photo(250).write(to: place.url.appendingPathComponent("0.jpg"))
        try await place.library.scan()
        let new = try Self.first(place)
        #expect(old.version != new.version)
    }

    @Test("A picture that cannot be made says why")
    func failure() async throws {
        let place = try await Place(photos: 1)
        try Data("GIF89a and no more".utf8).write(to: place.url.appendingPathComponent("broken.gif"))
        try await place.library.scan()
        let broken = try #require(place.library.snapshot.recents.first { $0.path.description.hasSuffix("gif") })
        let answer = await place.get("/thumbnails/\(broken.id)/96")
        #expect(answer.status == 422 && answer.text.contains("broken.gif"))
        let kind = try place.json(answer)["kind"] as? String
        #expect(["corrupt", "notAnImage"].contains(kind), "\(kind ?? "")")
    }

    @Test("A folder that is gone is told to have failed, with what the system says")
    func failedFolder() async throws {
        let place = try await Place(isGone: true)
        let list = try place.json(await place.get("/api/list"))
        let library = try #require(list["library"] as? [String: Any])
        #expect(library["phase"] as? String == "failed" && list["count"] as? Int == 0)
        let reason = try #require(library["reason"] as? String)
        #expect(reason.contains(place.url.lastPathComponent) && reason.contains("No such file"))
    }

    @Test("An empty folder is told to be empty")
    func emptyFolder() async throws {
        let place = try await Place(photos: 0)
        let list = try place.json(await place.get("/api/list"))
        #expect((list["library"] as? [String: Any])?["phase"] as? String == "empty" && list["count"] as? Int == 0)
    }

    @Test("A client that goes away calls its picture off")
    func hangUp() async throws {
        let place = try await Place()
        place.pipeline.setSuspended(true)
        let asset = try Self.first(place)
        let wire = Wire(port: place.port)
        wire.send("GET /thumbnails/\(asset.id)/192 HTTP/1.1\r\nHost: 127.0.0.1\r\n\(await place.cookie)\r\n\r\n")
        #expect(await Place.wait { place.pipeline.statistics.requests == 1 })
        #expect(place.pipeline.statistics.cancelledBefore == 0)
        wire.close()
        #expect(await Place.wait { place.pipeline.statistics.cancelledBefore == 1 })
        place.pipeline.setSuspended(false)
        #expect(await place.get("/thumbnails/\(asset.id)/192").status == 200)
    }

    @Test("A page that asks for events when all is over is told so")
    func lateEvents() async throws {
        let place = try await Place(photos: 1)
        place.server.picker?.cancel()
        let events = Wire(port: place.port)
        events.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\(await place.cookie)\r\n\r\n")
        let told = await events.read(until: "cancelled")
        #expect(told.contains("event: hello") && told.contains("event: finished\ndata: cancelled\n\n"))
    }

    @Test("A server that stops answers those who wait, and its port is free at once")
    func stopping() async throws {
        let place = try await Place()
        place.pipeline.setSuspended(true)
        let asset = try Self.first(place)
        let (picture, events) = (Wire(port: place.port), Wire(port: place.port))
        let cookie = await place.cookie
        picture.send("GET /thumbnails/\(asset.id)/192 HTTP/1.1\r\nHost: 127.0.0.1\r\n\(cookie)\r\n\r\n")
        events.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\(cookie)\r\n\r\n")
        #expect(await events.read(until: "hello").contains("text/event-stream"))
        #expect(await Place.wait { place.pipeline.statistics.requests == 1 })
        place.server.stop()
        #expect(await events.rest().isClosed)
        #expect(String(decoding: await picture.rest().bytes, as: UTF8.self).contains("503"))
        place.pipeline.setSuspended(false)
        let second = try HTTPServer(port: UInt16(place.port)) { _ in .text(200, "hello") }
        #expect(await Wire.ask(place.port, "/").text == "hello\n")
        second.stop()
    }

    @Test("A port that is taken is refused with its number")
    func takenPort() async throws {
        let place = try await Place(photos: 1)
        let error = #expect(throws: PickerServerError.self) {
            try HTTPServer(port: UInt16(place.port)) { _ in .text(200, "") }
        }
        #expect(
            error?.description.hasPrefix("port \(place.port) cannot be listened on: Address already in use") == true)
    }

    @Test("Picks, their order, the limit and the end are the picker's")
    func picking() async throws {
        let place = try await Place()
        let ids = place.library.snapshot.recents.map(\.id.value)
        let picked = try place.json(
            await place.post("/api/pick", "{\"action\":\"pick\",\"ids\":[\"\(ids[2])\",\"\(ids[0])\"]}"))
        #expect(picked["ids"] as? [String] == [ids[2], ids[0]])
        let full = try place.json(
            await place.post("/api/pick", "{\"action\":\"pick\",\"ids\":[\"\(ids[1])\",\"\(ids[3])\"]}"))
        #expect(full["ids"] as? [String] == [ids[2], ids[0], ids[1]])
        #expect((full["refusal"] as? [String: Any])?["reason"] as? String == "limitReached")
        let moved = try place.json(await place.post("/api/move", "{\"from\":2,\"to\":0}"))
        #expect(moved["ids"] as? [String] == [ids[1], ids[2], ids[0]])
        #expect(await place.post("/api/finish", "{}").status == 200)
        #expect(place.server.picker?.outcome?.assets.map(\.id.value) == [ids[1], ids[2], ids[0]])
        #expect(await place.post("/api/finish", "{}").status == 409)
    }

    @Test("A list has the newest first, in moments, and a range of it is picked from where it was begun")
    func lists() async throws {
        let place = try await Place()
        let list = try place.json(await place.get("/api/list"))
        let ids = try #require((list["assets"] as? [String: Any])?["ids"] as? [String])
        #expect(ids == place.library.snapshot.recents.reversed().map(\.id.value))
        #expect((list["counts"] as? [Int])?.reduce(0, +) == 4 && list["count"] as? Int == 4)
        let handle = try #require(list["list"] as? Int)
        let picked = try place.json(
            await place.post("/api/pick", "{\"action\":\"pick\",\"list\":\(handle),\"from\":3,\"to\":0}"))
        #expect(picked["ids"] as? [String] == [ids[3], ids[2], ids[1]])
    }

    @Test("A list of an album and a type has just those of Recents, moments and places included")
    func albums() async throws {
        let samples = FilePath(#filePath).parent.parent.parent.appending("Samples/Photos")
        let library = try AssetLibrary(folders: [samples], catalog: .none)
        let snapshot = try await library.scan()
        let moments = GridList.Moments(snapshot)
        for album in snapshot.albums() {
            for type in [nil] + TypeFilter.allCases.map(Optional.some) {
                let list = GridList.make(
                    handle: 1, key: GridList.Key(revision: 1, album: album.kind, type: type), snapshot: snapshot,
                    moments: moments, offered: nil)
                let expected = snapshot.assets(of: album.kind).reversed().filter { type?.filter.passes($0) ?? true }
                #expect((0..<list.count).map { list.id(at: $0) } == expected.map(\.id))
                #expect(expected.enumerated().allSatisfy { list.index(of: $1.id) == $0 })
                #expect(list.sections.flatMap { Array($0.range) } == Array(0..<list.count))
                for section in list.sections {
                    let days = Set(section.range.map { list.asset(at: $0).date.description.prefix(10) })
                    #expect(days == [section.day.prefix(10)])
                }
            }
        }
    }

    @Test("The lists that are spoken of are kept, the others make room for new ones")
    func shelf() async throws {
        let place = try await Place(photos: 2)
        let snapshot = place.library.snapshot
        let shelf = ListShelf(offered: nil)
        func list(_ revision: Int) -> GridList {
            shelf.list(of: GridList.Key(revision: revision, album: .smart(.recents), type: nil), in: snapshot)
        }
        let (byHandle, byKey, forgotten) = (list(1), list(2), list(3))
        for revision in 4..<4 + 2 * ListShelf.capacity {
            _ = list(revision)
            #expect(shelf.list(byHandle.handle)?.handle == byHandle.handle)
            #expect(list(2).handle == byKey.handle)
        }
        #expect(shelf.list(forgotten.handle) == nil)
    }

    @Test("An asset that vanishes leaves the selection, and the page is told")
    func vanishing() async throws {
        let place = try await Place()
        let cookie = await place.cookie
        let events = Wire(port: place.port)
        events.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\(cookie)\r\n\r\n")
        #expect(await events.read(until: "hello").contains("hello"))
        let asset = try Self.first(place)
        _ = await place.post("/api/pick", "{\"action\":\"pick\",\"ids\":[\"\(asset.id)\"]}")
        #expect(await events.read(until: "selection").contains("selection"))
        try FileManager.default.removeItem(atPath: asset.path.description)
        #expect(await events.read(until: "event: selection").contains("event: library"))
        #expect(place.server.picker?.selection.isEmpty == true)
        #expect(try place.json(await place.get("/api/selection"))["vanished"] as? Int == 1)
    }

    @Test("What is dropped has not vanished, whatever becomes of the library meanwhile")
    func dropping() async throws {
        let place = try await Place()
        let ids = place.library.snapshot.recents.map(\.id.value)
        let picks = "[\"\(ids[0])\",\"\(ids[1])\"]"
        _ = await place.post("/api/pick", "{\"action\":\"pick\",\"ids\":\(picks)}")
        try Place.photo(99).write(to: place.url.appendingPathComponent("new.jpg"))
        let dropped = try place.json(await place.post("/api/pick", "{\"action\":\"drop\",\"ids\":[\"\(ids[0])\"]}"))
        #expect(dropped["vanished"] as? Int == 0)
        #expect(await Place.wait { place.server.session.current.snapshot.count == 5 })
        let after = try place.json(await place.get("/api/selection"))
        #expect(after["ids"] as? [String] == [ids[1]] && after["vanished"] as? Int == 0)
    }

    @Test("Crops are kept as the page shows them, brought to where the picture covers the mask")
    func crops() async throws {
        let place = try await Place(mask: .circle)
        let (id, order) = try Self.order(place)
        let crop = try place.json(await place.post("/api/crop", order))
        // Half of 60 a side, as far left as it goes.
        #expect(crop["crop"] as? [Int] == [0, 15, 30, 30] && crop["quarterTurns"] as? Int == 1)
        let kept = try place.json(await place.get("/api/crop/\(id)?viewport=100,100"))
        #expect(kept["crop"] as? [Int] == [0, 15, 30, 30] && kept["isKept"] as? Bool == true)
        let back = try place.json(
            await place.post("/api/crop", order.replacing("\"isKept\":true", with: "\"isKept\":false")))
        #expect(back["crop"] as? [Int] == [10, 0, 60, 60] && back["isKept"] as? Bool == false)
        #expect(place.server.picker?.isCropped(id) == false)
    }

    /// A crop of the first photo, as a page orders it.
    private static func order(_ place: Place) throws -> (Asset.ID, String) {
        let asset = try first(place)
        let order = """
            {"id":"\(asset.id)","version":"\(asset.version)","viewport":[300,300],"centre":[-50,30],"zoom":2,\
            "quarterTurns":5,"isKept":true}
            """
        return (asset.id, order)
    }

    @Test("A crop is forgotten with the picture that it was made on, and is made on no other")
    func cropOfAnotherPicture() async throws {
        let place = try await Place(photos: 1, mask: .circle)
        let (id, order) = try Self.order(place)
        let picked = try place.json(await place.post("/api/pick", "{\"action\":\"pick\",\"ids\":[\"\(id)\"]}"))
        #expect(await place.post("/api/crop", order).status == 200)
        let before = try place.json(await place.get("/api/selection"))
        #expect(before["edited"] as? [String] == [id.value])
        let pixels = PixelBuffer(size: PixelSize(width: 90, height: 70), filledWith: RGBColor(9, 140, 60))
        let path = place.url.appendingPathComponent("0.jpg")
        try Data(pixels.encoded(Encoding(.jpeg)).bytes).write(to: path, options: [])
        #expect(await Place.wait { place.library.asset(for: id)?.uprightSize?.width == 90 })
        #expect(await Place.wait { place.server.picker?.isCropped(id) == false })
        #expect(await Place.wait { place.server.session.version.number > before["version"] as? Int ?? 0 })
        let after = try place.json(await place.get("/api/selection"))
        #expect(after["ids"] as? [String] == picked["ids"] as? [String] && after["edited"] as? [String] == [])
        let late = await place.post("/api/crop", order)
        #expect(try late.status == 409 && place.json(late)["reason"] as? String == "changed")
        #expect(place.server.picker?.isCropped(id) == false)
        #expect(await place.post("/api/crop", try Self.order(place).1).status == 200)
    }
}
