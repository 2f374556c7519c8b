import Cameo
import Foundation
import Synchronization
import Testing

@testable import PickerServer

/// What is kept of requests' bodies, and for how long somebody is worked for.
@Suite(.serialized)
struct BodyTests {
    private static func head(_ method: String, _ place: Place, _ lines: [String]) -> String {
        (["\(method) /api/pick HTTP/1.1", "Host: 127.0.0.1:\(place.port)"] + lines).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    private static func page(_ place: Place, _ cookie: String) -> [String] {
        [cookie, "Origin: http://127.0.0.1:\(place.port)", "Content-Type: application/json"]
    }

    @Test(
        "A stranger is refused before the body comes",
        arguments: ["Content-Length: 8000000", "Transfer-Encoding: chunked"])
    func earlyRefusal(length: String) async throws {
        let place = try await Place(photos: 1)
        let wire = Wire(port: place.port, timeout: 10)
        wire.send(Self.head("POST", place, [length]))
        let answer = await wire.rest()
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 403 ") && text.hasSuffix("Open the address that cameo printed.\n"))
        #expect(answer.isClosed)
    }

    @Test(
        "Nothing is kept of a stranger's body, by whatever method it comes",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "GET"])
    func strangersBodies(method: String) async throws {
        var limits = HTTPServer.Limits()
        limits.bodies = 1000
        let place = try await Place(photos: 1, limits: limits)
        // More than may be kept would be answered otherwise.
        let body = String(repeating: "x", count: 100_000)
        #expect(await Wire.ask(place.port, "/api/pick", method: method, body: body).status == 403)
        #expect(await Wire.ask(place.port, "/", method: method, body: body).status == 403)
        #expect(await place.get("/api/session").status == 200)
    }

    @Test("Bodies that are coming in have a budget in common, and give back what they took")
    func budget() async throws {
        var limits = HTTPServer.Limits()
        limits.bodies = 1_000_000
        let place = try await Place(photos: 1, limits: limits)
        let part = String(repeating: " ", count: 300_000)
        let cookie = await place.cookie
        #expect(await place.post("/api/pick", part).status == 400)
        var wires: [Wire] = []
        // One more each time: where the whole body comes before a part, it is the part that is refused.
        #expect(
            await Self.wait {
                let wire = Wire(port: place.port)
                wire.send(Self.head("POST", place, Self.page(place, cookie) + ["Content-Length: 400000"]) + part)
                wires.append(wire)
                return await place.post("/api/pick", part).status == 503
            })
        #expect(wires.count >= 3)
        // Small ones still have their place.
        #expect(await place.post("/api/move", "{\"from\":0,\"to\":0}").status == 200)
        for wire in wires { wire.close() }
        #expect(await Self.wait { await place.post("/api/pick", part).status == 400 })
        for _ in 0..<5 { #expect(await place.post("/api/pick", part).status == 400) }
    }

    @Test("A body that is too large is refused, and frees what it took")
    func tooLarge() async throws {
        var limits = HTTPServer.Limits()
        limits.bodies = 10 << 20
        let place = try await Place(photos: 1, limits: limits)
        let body = String(repeating: "x", count: 9 << 20)
        for _ in 0..<3 { #expect(await place.post("/api/pick", body).status == 413) }
        #expect(await place.post("/api/pick", String(repeating: "x", count: 8_000_000)).status == 400)
    }

    @Test("Whoever has left before the work begins is not worked for")
    func goneAtOnce() async throws {
        let begun = Atomic(0)
        let ended = Atomic(0)
        let server = try HTTPServer(port: 0) { _ in
            begun.add(1, ordering: .relaxed)
            try? await Task.sleep(for: .seconds(600))
            ended.add(1, ordering: .relaxed)
            return .text(200, "hello")
        }
        defer { server.stop() }
        for round in 1...10 {
            // A client that closes its sending half counts as gone.
            let wires = (0..<100).map { _ in Wire(port: Int(server.port)) }
            for wire in wires {
                wire.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                wire.finishSending()
            }
            #expect(await Place.wait { begun.load(ordering: .relaxed) == round * 100 })
            try #require(await Place.wait { ended.load(ordering: .relaxed) == round * 100 })
        }
    }

    private static func wait(_ isSo: () async -> Bool) async -> Bool {
        for _ in 0..<200 {
            if await isSo() { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}
