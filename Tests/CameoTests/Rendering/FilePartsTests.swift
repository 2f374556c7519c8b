import Foundation
import JPEGReference
import Testing

@testable import Cameo

/// Progressive JPEGs on disk, of which only the first scan and the end are read: what is made of them is what the whole
/// file gives.
struct FilePartsTests {
    private let folder: TemporaryFolder
    private let bytes: [UInt8]
    /// Made once: it takes longer than all that is done with it.
    private static let made: [UInt8]? = {
        var made = MadeJPEG(width: 3200, height: 2400)
        (made.isProgressive, made.quality) = (true, 92)
        return made.encoded()
    }()
    private static let box = [Rendition.thumbnail(PixelSize(square: 256)), .profilePicture(100, focus: .attention)]

    init() throws {
        folder = try TemporaryFolder()
        bytes = try #require(Self.made)
    }

    /// A file that has not just changed: such a one is read whole.
    private func written(_ bytes: [UInt8]) async throws -> FilePath {
        let path = try folder.write(bytes, to: "\(bytes.count).jpg")
        while try #require(ContentStamp(path: path)).isRacy { try await Task.sleep(for: .milliseconds(100)) }
        return path
    }

    private func opened(_ path: FilePath, for renditions: [Rendition] = box) throws -> OpenedImage {
        try OpenedImage(.file(path), for: renditions, options: RenderOptions())
    }

    @Test("A fifth of the file is read at most, and header, pictures, blur and digest are the whole file's")
    func same() async throws {
        let path = try await written(bytes)
        let parts = try opened(path)
        #expect(bytes.count > 1 << 20 && parts.bytes.buffer.count < bytes.count / 5 && !parts.isComplete)
        let whole = try OpenedImage(.bytes(bytes, name: "it"))
        #expect(parts.header == whole.header && parts.stamp != nil)
        let some = try Renderer().render(parts, Self.box, hashes: true)
        let all = try Renderer().render(whole, Self.box, hashes: true)
        #expect(some.images == all.images && some.warnings == all.warnings && some.thumbHash == all.thumbHash)
        #expect(try parts.digest == whole.digest)
        for standIn in [StandIn.embeddedPreview, .eighth] {
            #expect(parts.standIns(for: Self.box, by: standIn) == whole.standIns(for: Self.box, by: standIn))
        }
    }

    @Test("Asked for more than the parts give, the rest is read, of the file that was opened")
    func rest() async throws {
        let path = try await written(bytes)
        let parts = try opened(path)
        try FileManager.default.removeItem(atPath: path.description)
        try Array("another file of this name".utf8).withUnsafeBytes {
            try Data($0).write(to: URL(fileURLWithPath: path.description))
        }
        let large = [Rendition.thumbnail(PixelSize(square: 900))]
        let all = try Renderer().render(.bytes(bytes, name: "it"), large)
        #expect(try Renderer().render(parts, large).images == all.images)
        #expect(try parts.digest == Digest.sha256(bytes))
    }

    @Test("A file that ends early ends as it does when it is read whole", arguments: [1, 2, 1500, 400_000])
    func cut(missing: Int) async throws {
        let short = Array(bytes.dropLast(missing))
        let path = try await written(short)
        let all = try Renderer().render(.bytes(short, name: "it"), Self.box)
        let some = try Renderer().render(opened(path), Self.box)
        #expect(some.images == all.images && some.warnings == all.warnings)
        #expect(missing < 1500 || some.warnings.contains(.truncated))
    }

    @Test("A file that is written to while it is open gives what was read of it, and nothing more")
    func cutMeanwhile() async throws {
        let path = try await written(bytes)
        let parts = try opened(path)
        #expect(path.withCString { truncate($0, 300_000) } == 0)
        let some = try Renderer().render(parts, Self.box)
        #expect(some.images == (try Renderer().render(.bytes(bytes, name: "it"), Self.box)).images)
        let large = [Rendition.thumbnail(PixelSize(square: 900))]
        let changed = RenderError.unreadable(source: path.description, reason: "it changed while it was read")
        #expect(throws: changed) { try Renderer().render(parts, large) }
        #expect(throws: changed) { try parts.digest }
    }

    @Test("A file that has just been written is read whole, so that its digest is that of the picture")
    func fresh() throws {
        let path = try folder.write(bytes, to: "fresh.jpg")
        // However long this takes: a time to come is never past.
        try FileManager.default.setAttributes(
            [.modificationDate: Date.now.addingTimeInterval(3600)], ofItemAtPath: path.description)
        #expect(try opened(path).isComplete)
    }

    @Test("Baseline files, strict reading, large sizes and faces take the whole file from the start")
    func whole() async throws {
        let path = try await written(bytes)
        let large = try opened(path, for: [.thumbnail(PixelSize(square: 900))])
        let faces = try opened(path, for: [.profilePicture(100, focus: .faces())])
        var strict = RenderOptions()
        strict.isStrict = true
        let exact = try OpenedImage(.file(path), for: Self.box, options: strict)
        var made = MadeJPEG(width: 2400, height: 1800)
        made.quality = 95
        let baseline = try opened(try await written(try #require(made.encoded())))
        for opened in [large, faces, exact, baseline] { #expect(opened.isComplete) }
        #expect(try OpenedImage(.file(path)).isComplete)
    }

    @Test("In another process, the same parts are read, and the rest through the same descriptor")
    func isolated() async throws {
        let path = try await written(bytes)
        let pool = WorkerPool(
            executable: Worker.executable, options: RenderOptions(), isRequired: true, onWeakness: nil)
        let there = try pool.open(.file(path), for: Self.box)
        try FileManager.default.removeItem(atPath: path.description)
        let all = try Renderer().render(.bytes(bytes, name: "it"), Self.box)
        #expect(try there.render(Self.box, watch: RenderWatch(), hashes: false).images == all.images)
        let large = [Rendition.thumbnail(PixelSize(square: 900))]
        let more = try there.render(large, watch: RenderWatch(), hashes: false)
        #expect(more.images == (try Renderer().render(.bytes(bytes, name: "it"), large)).images)
        #expect(try there.digest() == Digest.sha256(bytes))
    }
}
