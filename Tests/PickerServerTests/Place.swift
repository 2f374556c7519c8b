import Cameo
import Foundation
import Testing

@testable import PickerServer

/// A folder of photos, a server on it, and what a page of it knows.
final class Place {
    let url: URL
    let library: AssetLibrary
    let pipeline: ImagePipeline
    let server: PickerServer

    var port: Int { server.port }
    var token: String { String(server.address.split(separator: "=")[1]) }

    /// A server that has loaded `count` photos, or whose folder went away before it could look for them.
    init(
        photos count: Int = 4, isGone: Bool = false,
        picker: PickerConfiguration? = PickerConfiguration(limit: 3, isOrdered: true),
        mask: PickerServer.Mask? = nil, limits: HTTPServer.Limits = HTTPServer.Limits()
    ) async throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cameo-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for index in 0..<count {
            try Self.photo(UInt8(index * 10)).write(to: url.appendingPathComponent("\(index).jpg"))
        }
        library = try AssetLibrary(folders: [FilePath(url.path)], catalog: .none)
        if isGone { try FileManager.default.removeItem(at: url) } else { try await library.scan() }
        pipeline = ImagePipeline()
        var configuration = PickerServer.Configuration()
        configuration.picker = picker
        configuration.mask = mask
        configuration.limits = limits
        server = try PickerServer(library, pipeline: pipeline, configuration)
    }

    /// Waits until the files are older than what may change again unseen, and looks at them again.
    func settle() async throws {
        try await Task.sleep(for: .milliseconds(2100))
        try await library.scan()
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: url)
    }

    static func photo(_ shade: UInt8) throws -> Data {
        let pixels = PixelBuffer(size: PixelSize(width: 80, height: 60), filledWith: RGBColor(shade, 140, 60))
        return Data(try pixels.encoded(Encoding(.jpeg)).bytes)
    }

    /// The cookie that the first address gives.
    var cookie: String {
        get async {
            let answer = await Wire.ask(port, "/?token=\(token)")
            return "Cookie: " + String(answer.header("set-cookie")?.split(separator: ";").first ?? "")
        }
    }

    func get(_ path: String, headers: [String] = []) async -> Wire.Answer {
        await Wire.ask(port, path, headers: [cookie] + headers)
    }

    func post(_ path: String, _ body: String, headers: [String]? = nil) async -> Wire.Answer {
        let usual = ["Origin: http://127.0.0.1:\(port)", "Content-Type: application/json"]
        return await Wire.ask(port, path, method: "POST", headers: [cookie] + (headers ?? usual), body: body)
    }

    func json(_ answer: Wire.Answer) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    /// Waits, for up to ten seconds, until `isSo`.
    static func wait(_ isSo: () throws -> Bool) async rethrows -> Bool {
        for _ in 0..<500 {
            if try isSo() { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}
