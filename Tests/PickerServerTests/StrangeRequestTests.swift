import Cameo
import Foundation
import Testing

@testable import PickerServer

/// Requests that no page of ours makes, by somebody who may ask or by a stranger; nothing breaks, nothing leaks.
@Suite(.serialized)
struct StrangeRequestTests {
    private static func isAlive(_ place: Place) async -> Bool { await place.get("/api/session").status == 200 }

    @Test("An address that is far too long is refused", arguments: [5_000, 40_000, 1_000_000])
    func longAddresses(length: Int) async throws {
        let place = try await Place(photos: 1)
        let long = String(repeating: "a", count: length)
        for path in [
            "/\(long)", "/api/list?album=\(long)", "/?token=\(long)",
            "/api/list?keep=\(long.replacing("a", with: "a,"))",
        ] {
            let status = await Wire.ask(place.port, path).status
            #expect(status == 0 || (400..<500).contains(status), "\(status)")
            // What fits is answered as a question for something that is not there.
            let known = await place.get(path).status
            #expect([0, 200, 404].contains(known) || (400..<500).contains(known), "\(known)")
        }
        #expect(await Self.isAlive(place))
    }

    @Test("A flood of headers is refused, whether they are many or long")
    func headerFlood() async throws {
        let place = try await Place(photos: 1)
        let many = (0..<20_000).map { "X-\($0): \($0)" }
        let long = ["Cookie: " + String(repeating: "a=b; ", count: 100_000)]
        for headers in [many, long] {
            let status = await Wire.ask(place.port, "/api/session", headers: headers).status
            #expect(status == 0 || (400..<500).contains(status), "\(status)")
        }
        #expect(await Self.isAlive(place))
    }

    @Test(
        "A zero in an address hides nothing of it",
        arguments: [
            "/api/session%00", "/api/session%00.js", "/main.js%00.svg", "/%00", "/thumbnails/ID/256%00",
            "/thumbnails/ID%00/256", "/thumbnails/ID/%00256",
        ])
    func zeros(path: String) async throws {
        let place = try await Place(photos: 1)
        let id = try #require(place.library.snapshot.recents.first).id.value
        #expect(await place.get(path.replacing("ID", with: id)).status == 404)
        #expect(await Wire.ask(place.port, "/?token=\(place.token)%00").status == 403)
    }

    @Test("HEAD is answered as GET is, without a body")
    func head() async throws {
        let place = try await Place(photos: 1)
        let id = try #require(place.library.snapshot.recents.first).id.value
        let cookie = await place.cookie
        for path in ["/main.js", "/api/session", "/thumbnails/\(id)/96", "/nothing"] {
            let whole = await place.get(path)
            let head = await Wire.ask(place.port, path, method: "HEAD", headers: [cookie])
            #expect(head.status == whole.status && head.body.isEmpty, "\(path)")
            #expect(head.header("content-length") == whole.header("content-length"), "\(path)")
            #expect(head.header("content-security-policy") != nil)
        }
        #expect(await Wire.ask(place.port, "/main.js", method: "HEAD").status == 403)
        let events = await Wire.ask(place.port, "/api/events", method: "HEAD", headers: [cookie])
        #expect(events.status == 405 && events.body.isEmpty)
        #expect(await Self.isAlive(place))
    }

    @Test("A range is answered with the whole, which is allowed and cannot be wrong")
    func ranges() async throws {
        let place = try await Place(photos: 1)
        let whole = await place.get("/main.js")
        for range in ["bytes=0-9", "bytes=-1", "bytes=9-0", "bytes=0-0,2-3,4-99999999999999999999", "lines=1"] {
            let answer = await place.get("/main.js", headers: ["Range: \(range)"])
            #expect(answer.status == 200 && answer.body == whole.body, "\(range)")
        }
    }

    @Test(
        "Methods that are not offered change nothing", arguments: ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "FOO"])
    func methods(method: String) async throws {
        let place = try await Place(photos: 1)
        let (cookie, origin) = (await place.cookie, "Origin: http://127.0.0.1:\(place.port)")
        let answer = await Wire.ask(
            place.port, "/api/cancel", method: method, headers: [cookie, origin, "Content-Type: application/json"])
        #expect(answer.status == 0 || (400..<600).contains(answer.status), "\(answer.status)")
        #expect(!answer.text.contains(String(cookie.dropFirst(8))))
        #expect(place.server.picker?.outcome == nil)
        #expect(await Self.isAlive(place))
    }

    @Test("The cookie of a session that is over does not open the next one on the same port")
    func olderSession() async throws {
        let old = try await Place(photos: 1)
        let (port, cookie, token) = (old.port, await old.cookie, old.token)
        old.server.stop()
        var configuration = PickerServer.Configuration()
        configuration.port = UInt16(port)
        let new = try PickerServer(old.library, pipeline: old.pipeline, configuration)
        defer { new.stop() }
        #expect(new.port == port)
        #expect(await Wire.ask(port, "/api/session", headers: [cookie]).status == 403)
        #expect(await Wire.ask(port, "/?token=\(token)").status == 403)
    }

    @Test("Names that lead to this machine by an attacker's DNS are refused with the right port and cookie too")
    func rebinding() async throws {
        let place = try await Place(photos: 1)
        let cookie = await place.cookie
        for name in [
            "rebind.evil.example", "127.0.0.1.nip.io", "localhost.", "0.0.0.0", "[::1]", "127.0.0.1@evil.example",
        ] {
            for host in [name, "\(name):\(place.port)"] {
                #expect(
                    await Wire.ask(place.port, "/api/session", headers: [cookie], host: host).status == 403, "\(host)")
                #expect(await Wire.ask(place.port, "/?token=\(place.token)", host: host).header("set-cookie") == nil)
            }
        }
        let absolute = await Wire.ask(place.port, "http://evil.example/api/session", headers: [cookie])
        #expect(absolute.status != 200)
    }

    @Test("A second host, or none, is refused")
    func hosts() async throws {
        let place = try await Place(photos: 1)
        let cookie = await place.cookie
        let second = await Wire.ask(place.port, "/api/session", headers: ["Host: evil.example", cookie])
        #expect(second.status == 403 || second.status == 400)
        let wire = Wire(port: place.port)
        wire.send("GET /api/session HTTP/1.0\r\n\(cookie)\r\n\r\n")
        let answer = String(decoding: await wire.rest().bytes, as: UTF8.self)
        #expect(!answer.contains(" 200 ") && !answer.contains("\"mode\""), "\(answer.prefix(80))")
    }

    @Test("A body of two lengths is not taken for two requests")
    func smuggling() async throws {
        let place = try await Place(photos: 1)
        let cookie = await place.cookie
        let hidden =
            "POST /api/cancel HTTP/1.1\r\nHost: 127.0.0.1:\(place.port)\r\nOrigin: http://127.0.0.1:\(place.port)\r\n"
            + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        for lengths in ["Content-Length: 0\r\nTransfer-Encoding: chunked", "Content-Length: 4\r\nContent-Length: 0"] {
            let wire = Wire(port: place.port, timeout: 3)
            // Whoever could smuggle is a page of another site: the first request has the cookie, the second has not.
            wire.send(
                "POST /api/pick HTTP/1.1\r\nHost: 127.0.0.1:\(place.port)\r\n\(cookie)\r\n\(lengths)\r\n\r\n0\r\n\r\n"
                    + hidden)
            _ = await wire.rest()
        }
        #expect(place.server.picker?.outcome == nil)
        #expect(await Self.isAlive(place))
    }

    @Test(
        "JSON that is deep, wide or of absurd numbers is refused",
        arguments: [
            String(repeating: "[", count: 200_000), String(repeating: "{\"a\":", count: 100_000),
            "{\"action\":\"pick\",\"ids\":[" + String(repeating: "\"x\",", count: 50_000) + "\"x\"]}",
            "{\"action\":\"pick\",\"list\":LIST,\"from\":-9223372036854775808,\"to\":9223372036854775807}",
            "{\"action\":\"pick\",\"list\":LIST,\"from\":0,\"to\":1e999}",
            "{\"action\":\"pick\",\"list\":1e400}", "\u{0}", "{\"action\":\"pick\",\"ids\":[\"\\u0000\"]}",
        ])
    func hostileJSON(body: String) async throws {
        let place = try await Place(photos: 2)
        let list = try #require(try place.json(await place.get("/api/list"))["list"] as? Int)
        let status = await place.post("/api/pick", body.replacing("LIST", with: "\(list)")).status
        #expect([200, 400, 410].contains(status), "\(status)")
        #expect(place.server.picker?.selection.isEmpty == true)
        #expect(await Self.isAlive(place))
    }

    @Test(
        "A crop of absurd geometry is refused, or brought to where the picture covers the mask",
        arguments: [
            "viewport=nan,nan", "viewport=inf,1", "viewport=0,0", "viewport=-1,-1", "viewport=1e308,1e308",
            "viewport=1e-320,1", "viewport=1", "viewport=1,2,3", "viewport=", "",
        ])
    func hostileViewports(query: String) async throws {
        let place = try await Place(photos: 1, mask: .circle)
        let id = try #require(place.library.snapshot.recents.first).id.value
        let answer = await place.get("/api/crop/\(id)?\(query)")
        #expect([200, 400, 409].contains(answer.status), "\(answer.status)")
        if answer.status == 200 { try Self.expectInside(place.json(answer)) }
        #expect(await Self.isAlive(place))
    }

    @Test(
        "A crop that a page cannot have shown is refused, or brought inside the picture",
        arguments: [
            "\"viewport\":[1e308,1e308],\"centre\":[1e308,-1e308],\"zoom\":1e308,\"quarterTurns\":9223372036854775807",
            "\"viewport\":[1e-308,1e-308],\"centre\":[0,0],\"zoom\":-1,\"quarterTurns\":-9223372036854775808",
            "\"viewport\":[100],\"centre\":[0,0],\"zoom\":1,\"quarterTurns\":0",
            "\"viewport\":[100,100],\"centre\":[],\"zoom\":1,\"quarterTurns\":0",
            "\"viewport\":[100,100],\"centre\":[1e9,1e9],\"zoom\":1e999,\"quarterTurns\":0",
        ])
    func hostileCrops(body: String) async throws {
        let place = try await Place(photos: 1, mask: .square)
        let asset = try #require(place.library.snapshot.recents.first)
        let named = "\"id\":\"\(asset.id)\",\"version\":\"\(asset.version)\""
        let answer = await place.post("/api/crop", "{\(named),\(body),\"isKept\":true}")
        #expect([200, 400, 404, 409].contains(answer.status), "\(answer.status)")
        if answer.status == 200 { try Self.expectInside(place.json(answer)) }
        #expect(await Self.isAlive(place))
    }

    /// The photos of a place are 80 by 60 pixels.
    private static func expectInside(_ crop: [String: Any]) throws {
        let rect = try #require(crop["crop"] as? [Int])
        #expect(rect[0] >= 0 && rect[1] >= 0 && rect[2] > 0 && rect[3] > 0, "\(rect)")
        #expect(rect[0] + rect[2] <= 80 && rect[1] + rect[3] <= 80, "\(rect)")
    }

    @Test("A page that opens stream after stream and reads none does not keep the others waiting")
    func manyStreams() async throws {
        let place = try await Place(photos: 1)
        let cookie = await place.cookie
        let wires = (0..<100).map { _ in Wire(port: place.port) }
        for wire in wires {
            wire.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(place.port)\r\n\(cookie)\r\n\r\n")
        }
        for _ in 0..<200 { #expect(await place.post("/api/move", "{\"from\":0,\"to\":0}").status == 200) }
        #expect(await Self.isAlive(place))
        wires.forEach { $0.close() }
    }
}
