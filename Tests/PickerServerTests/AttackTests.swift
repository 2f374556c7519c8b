import Cameo
import Foundation
import Testing

@testable import PickerServer

/// What a stranger may try; the session goes on as if nothing had happened.
@Suite(.serialized)
struct AttackTests {
    @Test("Without the token nothing is answered, not even whether a path exists")
    func noToken() async throws {
        let place = try await Place()
        let id = try #require(place.library.snapshot.recents.first).id
        for path in ["/", "/main.js", "/api/session", "/thumbnails/\(id)/256", "/nothing", "/?token=", "/?token=0"] {
            let answer = await Wire.ask(place.port, path)
            #expect(answer.status == 403 && answer.text == "Open the address that cameo printed.\n", "\(path)")
            #expect(answer.header("set-cookie") == nil)
        }
    }

    @Test("The first address admits with a cookie that scripts and other sites cannot have, and that is not the token")
    func admission() async throws {
        let place = try await Place()
        let answer = await Wire.ask(place.port, "/?token=\(place.token)")
        let cookie = try #require(answer.header("set-cookie"))
        #expect(answer.status == 200 && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(!cookie.contains(place.token))
        #expect(await place.get("/api/session").status == 200)
    }

    @Test("Another host and another origin are refused in spite of the cookie, and nobody is offered CORS")
    func hostAndOrigin() async throws {
        let place = try await Place()
        let cookie = await place.cookie
        #expect(
            await Wire.ask(place.port, "/api/session", headers: [cookie], host: "evil.example:\(place.port)").status
                == 403)
        #expect(
            await place.post(
                "/api/cancel", "{}", headers: ["Origin: http://evil.example", "Content-Type: application/json"]
            ).status == 403)
        #expect(
            await place.post(
                "/api/cancel", "{}", headers: ["Origin: http://127.0.0.1:\(place.port)", "Content-Type: text/plain"]
            ).status == 403)
        let preflight = await Wire.ask(
            place.port, "/api/pick", method: "OPTIONS",
            headers: [cookie, "Origin: http://evil.example", "Access-Control-Request-Method: POST"])
        #expect(preflight.status == 403 && preflight.header("access-control-allow-origin") == nil)
        #expect(place.server.picker?.outcome == nil)
    }

    @Test("Every answer forbids scripts from elsewhere, frames, sniffing and referrers")
    func headers() async throws {
        let place = try await Place()
        for answer in [
            await place.get("/"), await place.get("/api/session"), await place.get("/nothing"),
            await Wire.ask(place.port, "/"),
        ] {
            let policy = try #require(answer.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.header("x-content-type-options") == "nosniff")
            #expect(answer.header("referrer-policy") == "no-referrer")
        }
    }

    @Test(
        "A guessed identifier, a size that is not offered and a way out of the folder find nothing",
        arguments: [
            "/thumbnails/00000000000000000000000000000000/256", "/thumbnails/ID/255", "/thumbnails/ID/0256",
            "/thumbnails/ID/99999999999999999999", "/thumbnails/ID/-256", "/thumbnails/ID", "/pictures/ID/256",
            "/thumbnails/ID/256/", "/thumbnails//256", "/thumbnails/ID/../../256", "/../../../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd", "/thumbnails/..%2f..%2fetc%2fpasswd/256", "/thumbnails/0.jpg/256",
            "//etc/passwd", "/api", "/api/list/x", "/style.css/", "/api/crop/ID",
            "/api/thumbnails?list=LIST&from=0&count=1&size=97", "/api/thumbnails?list=LIST&from=-1&count=1&size=96",
            "/api/thumbnails?list=LIST&from=0&count=201&size=96", "/api/thumbnails?list=LIST&from=2&count=1&size=96",
            "/api/thumbnails?list=LIST&from=0&count=9223372036854775807&size=96", "/api/thumbnails?list=LIST",
        ])
    func guesses(path: String) async throws {
        let place = try await Place(photos: 1)
        let id = try #require(place.library.snapshot.recents.first).id.value
        let list = try #require(try place.json(await place.get("/api/list"))["list"] as? Int)
        let status = await place.get(path.replacing("ID", with: id).replacing("LIST", with: "\(list)")).status
        #expect([400, 404].contains(status), "\(status)")
    }

    @Test(
        "Orders that make no sense are refused and change nothing",
        arguments: [
            ("/api/pick", "", 400), ("/api/pick", "[]", 400), ("/api/pick", "{\"action\":\"steal\"}", 400),
            ("/api/pick", "{\"action\":\"pick\",\"list\":1,\"from\":-1,\"to\":99999999}", 410),
            ("/api/section", "{\"action\":\"pick\",\"list\":99,\"section\":0}", 410),
            (
                "/api/crop",
                "{\"id\":\"x\",\"viewport\":[1,1],\"centre\":[0,0],\"zoom\":1,\"quarterTurns\":0,\"isKept\":true}",
                409
            ),
            ("/api/nothing", "{}", 404), ("/api/finish/", "{}", 404),
        ])
    func nonsense(path: String, body: String, status: Int) async throws {
        let place = try await Place(picker: PickerConfiguration(limit: 3, minimum: 1))
        #expect(await place.post(path, body).status == status)
        let picker = try #require(place.server.picker)
        #expect(picker.selection.isEmpty && picker.outcome == nil)
    }

    @Test("A body that is too large is refused")
    func largeBody() async throws {
        let place = try await Place(photos: 1)
        let body = String(repeating: "x", count: 9 << 20)
        #expect(await place.post("/api/pick", body).status == 413)
        #expect(await place.get("/api/session").status == 200)
    }

    @Test("A client that sends its request byte by byte is closed in time, others are answered meanwhile")
    func slowClient() async throws {
        var limits = HTTPServer.Limits()
        // More than what the others need, however busy the machine is.
        limits.patience = 3
        let place = try await Place(photos: 1, limits: limits)
        let wire = Wire(port: place.port)
        wire.send("GET /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        var isOpen = true
        for _ in 0..<3000 where isOpen {
            #expect(await place.get("/api/session").status == 200)
            try await Task.sleep(for: .milliseconds(100))
            isOpen = wire.send("x")
        }
        #expect(!isOpen)
    }

    @Test("Clients that read one byte of a picture and no more keep nobody waiting, and get the rest when they want it")
    func slowReaders() async throws {
        var limits = HTTPServer.Limits()
        // However long the others take.
        limits.idle = 600
        let place = try await Place(photos: 1, limits: limits)
        try Self.noise(side: 1600).write(to: place.url.appendingPathComponent("noise.jpg"))
        try await place.library.scan()
        let assets = place.library.snapshot.recents
        let path = "/pictures/\(try #require(assets.first { $0.uprightSize?.width == 1600 }).id)/1600"
        let whole = await place.get(path)
        let picture = Data(whole.body)
        #expect(whole.status == 200 && picture.count > 1 << 20)
        let cookie = await place.cookie
        let wires = (0..<4).map { _ in Wire(port: place.port, segment: 536) }
        for wire in wires {
            wire.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(place.port)\r\n\(cookie)\r\nConnection: close\r\n\r\n")
            #expect(await wire.byte() == UInt8(ascii: "H"))
        }
        for asset in assets { #expect(await place.get("/thumbnails/\(asset.id)/96").status == 200) }
        #expect(await Data(place.get(path).body) == picture)
        #expect(await place.get("/api/session").status == 200)
        // More than what lies between the two ends: their answers are still on the way.
        #expect(place.server.server.activity >= wires.count)
        for wire in wires { #expect(await Data(wire.rest().bytes.suffix(picture.count)) == picture) }
    }

    /// A JPEG of noise, of which little can be saved.
    private static func noise(side: Int) throws -> Data {
        var generator = SystemRandomNumberGenerator()
        let row = side * 3
        let pool = (0..<row / 4).flatMap { _ in
            withUnsafeBytes(of: generator.next()) { Array($0) }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(row * side)
        for _ in 0..<side {
            let start = Int.random(in: 0..<pool.count - row)
            bytes += pool[start..<start + row]
        }
        let pixels = PixelBuffer(size: PixelSize(square: side), channels: 3, bytes: bytes)
        return Data(try pixels.encoded(Encoding(.jpeg)).bytes)
    }

    @Test("Nobody can connect by an address that other machines have for this one, nor by another of its own")
    func loopbackAlone() async throws {
        let place = try await Place(photos: 1)
        #expect(Wire(port: place.port).isConnected)
        for address in ["127.0.0.2"] + Wire.addresses where address != "127.0.0.1" {
            #expect(!Wire(port: place.port, address: address).isConnected, "\(address)")
        }
    }

    @Test("A thousand connections that ask for nothing neither stop the session nor stay")
    func manyConnections() async throws {
        let place = try await Place(photos: 1)
        let cookie = await place.cookie
        let wires = (0..<1000).map { _ in Wire(port: place.port) }
        #expect(await Wire.ask(place.port, "/api/session", headers: [cookie]).status == 200)
        for wire in wires { #expect(await wire.rest().isClosed) }
        #expect(await Wire.ask(place.port, "/api/session", headers: [cookie]).status == 200)
    }

    @Test("Bytes that are no HTTP are answered with a refusal or a closed door")
    func noise() async throws {
        var limits = HTTPServer.Limits()
        // What looks like a request that is still to come is waited for so long.
        limits.patience = 1
        let place = try await Place(photos: 1, limits: limits)
        // By Knuth's linear congruential generator, the same at each run.
        var state: UInt64 = 1
        for length in [1, 100, 5000] {
            let wire = Wire(port: place.port)
            let noise = (0..<length).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Character(Unicode.Scalar(UInt8((state >> 33) % 127 + 1)))
            }
            wire.send(String(noise) + "\r\n\r\n")
            let (bytes, isClosed) = await wire.rest()
            let answer = String(decoding: bytes, as: UTF8.self)
            let isRefused = answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5")
            #expect(isClosed && (answer.isEmpty || isRefused), "\(answer.prefix(80))")
        }
        #expect(await place.get("/api/session").status == 200)
    }
}
