import Cameo
import Foundation
import Testing

/// The sample programs, each run by its script from `Samples/Scripts`.
@Suite struct SamplesTests {
    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Samples")

    /// Runs a program; gives what it printed and a folder with what it wrote.
    private func run(_ program: String, _ script: String) throws -> (lines: [String], folder: URL) {
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let built = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cameo-\(UUID().uuidString)")
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = built.appendingPathComponent(program)
        process.arguments = [
            "--photos", Self.samples.path + "/Photos", "--out", folder.path, "--script",
            Self.samples.path + "/Scripts/\(script).txt",
        ]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return (String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init), folder)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func size(_ file: URL) throws -> PixelSize {
        try OpenedImage(.file(FilePath(file.path))).header.uprightSize
    }

    @Test("A picker started from a view brings the original back into that view, whichever way it was started")
    func startFromView() throws {
        let (lines, folder) = try run("StartFromView", "start-from-view")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try names(in: folder) == ["Mei.jpg", "Zürichsee.jpg"])
        for (name, album) in [("Mei.jpg", "Portraits"), ("Zürichsee.jpg", "Lake Weekend")] {
            let original = Self.samples.appendingPathComponent("Photos/\(album)/\(name)")
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data(contentsOf: original))
        }
        #expect(lines.contains("  the picker is up, over profile / sheet"))
        #expect(lines.contains("  no more than 1 can be picked"))
        #expect(lines.last == "  profile / header / photo view keeps what it had")
    }

    @Test("Many photos are picked from albums and moments, and delivered in pick order")
    func multiPick() throws {
        let (lines, folder) = try run("MultiPick", "multi-pick")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(
            try names(in: folder) == [
                "1 Mei.jpg", "2 Balloon over the orchard.jpg", "3 Dawn on the lake.jpg", "4 Zürichsee.jpg",
            ])
        #expect(try size(folder.appendingPathComponent("1 Mei.jpg")) == PixelSize(width: 400, height: 300))
        // Back from the detail, the grid has the cell that was on show.
        let back = try #require(lines.firstIndex(of: "> back"))
        #expect(lines[back...].prefix { $0 != "> rotate" }.contains("  [1] 4 Balloon over the orchard.jpg"))
        #expect(lines.last == "  delivered 4")
    }

    @Test("A profile picture goes from the placeholder to circles of two sizes, and a registration stores them")
    func profilePicture() throws {
        struct Stored: Decodable {
            struct Picture: Decodable {
                let path: String
                let points: Int
                let scale: Int
            }
            let name: String
            let original: String
            let crop: PixelRect
            let edit: Edit
            let pictures: [Picture]
        }
        let (_, folder) = try run("ProfilePicture", "profile-picture")
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try Data(contentsOf: folder.appendingPathComponent("registration.json"))
        let stored = try JSONDecoder().decode(Stored.self, from: data)
        #expect(stored.name == "Lucía Ferreira")
        #expect(stored.original.hasSuffix("Portraits/Lucía.jpg"))
        #expect(stored.pictures.map { $0.points * $0.scale } == [100, 200, 300, 200, 400, 600])
        #expect(stored.edit == Edit(crop: stored.crop))
        for picture in stored.pictures {
            let file = folder.appendingPathComponent(picture.path)
            #expect(try size(file) == PixelSize(square: picture.points * picture.scale))
            let pixels = try Renderer().render(
                .file(FilePath(file.path)), [.thumbnail(PixelSize(square: 1000))]
            ).images[0].pixels
            // A circle: nothing in the corners, something in the middle.
            #expect(pixels[0, 0][3] == 0 && pixels[pixels.size.width / 2, pixels.size.height / 2][3] == 255)
        }
        // What was stored is enough to make the same picture again.
        let rendition = stored.edit.applied(to: .profilePicture(200))
        let again = try Renderer().render(.file(FilePath(stored.original)), [rendition]).images[0]
        #expect(try Data(again.encoded().bytes) == Data(contentsOf: folder.appendingPathComponent("profile-200.png")))
        #expect(again.crop == stored.crop)
        for suffix in ["", "@2x", "@3x"] {
            #expect(try names(in: folder).contains("placeholder-100\(suffix).png"))
        }
    }
}
