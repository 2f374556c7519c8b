import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

struct AvatarCommandTests {
    private static let portrait = Workplace.repository.appendingPathComponent("Samples/Photos/Portraits/Amara.jpg").path

    @Test("Profile pictures come round, in every size and scale, of exactly these sizes")
    func sizes() throws {
        let place = try Workplace()
        let run = try CommandRun(["avatar", Self.portrait, "-o", place.output.path, "--json", "--scale", "1,2,3"])
        #expect(run.status == 0)
        #expect(
            place.outputs == [
                "Amara-100.png", "Amara-100@2x.png", "Amara-100@3x.png", "Amara-200.png", "Amara-200@2x.png",
                "Amara-200@3x.png",
            ])
        let line = try #require(run.results.first)
        #expect(
            line.outputs?.map(\.width) == [100, 200, 300, 200, 400, 600]
                && line.outputs?.map(\.scale) == [1, 2, 3, 1, 2, 3])
        #expect(line.focus == "faces" && line.faces?.count == 1)
        let crop = try #require(line.crop)
        // The head, as the picture shows it, goes from 310 to 740 across and from 230 to 750 down.
        #expect(crop[0] <= 310 && crop[0] + crop[2] >= 740 && crop[1] <= 230 && crop[1] + crop[3] >= 750)
        let confidence = try #require(line.confidence)
        #expect(confidence > 0 && confidence <= 1)
        let corner = try Renderer().render(
            .file(FilePath(place.output.path + "/Amara-100.png")), [.thumbnail(PixelSize(square: 100))])
        #expect(corner.images[0].pixels[0, 0][3] == 0)
    }

    @Test("A picture without a face says which focus was used instead")
    func noFace() throws {
        let place = try Workplace()
        try place.add("wall.jpg")
        for (focus, used) in [("faces", "attention"), ("faces:upper", "upper")] {
            let line = try #require(try place.run("avatar", "--force", "--focus", focus).results.first)
            #expect(line.focus == used && line.faces == [] && line.confidence == nil)
        }
        // A thumbnail keeps as much as it can, with the face in it.
        let thumbnail = try CommandRun([
            "thumbnails", Self.portrait, "-o", place.output.path, "--json", "--fill", "--focus", "faces", "--size",
            "90x30",
        ])
        let line = try #require(thumbnail.results.first)
        #expect(line.focus == "faces" && (1599...1600).contains(line.crop?[2] ?? 0) && line.crop?[3] == 533)
        #expect((line.crop?[1] ?? 0) > 200)
    }

    @Test("A focus rectangle is obeyed and reported")
    func focus() throws {
        let place = try Workplace()
        let run = try CommandRun([
            "avatar", Self.portrait, "-o", place.output.path, "--json", "--focus", "300,100,500,500", "--shape",
            "square", "--size", "64",
        ])
        #expect(run.results.first?.crop == [300, 100, 500, 500] && run.results.first?.focus == "300,100,500,500")
        #expect(place.outputs == ["Amara.jpg"])
        let outside = try CommandRun([
            "avatar", Self.portrait, "-o", place.output.path, "--json", "--focus", "1500,100,500,500",
        ])
        #expect(outside.status == 1 && outside.results.first?.error?.message.contains("reaches outside") == true)
    }

    @Test(
        "Initials make a placeholder of every size, under a safe name",
        arguments: [("Ada Lovelace", "Ada Lovelace.png"), ("a/b", "a_b.png"), ("", "placeholder.png")])
    func initials(name: String, file: String) throws {
        let place = try Workplace()
        let run = try CommandRun(["avatar", "--initials", name, "-o", place.output.path, "--size", "90"])
        #expect(run.status == 0 && place.outputs == [file])
        #expect(
            try OpenedImage(.file(FilePath(place.output.path + "/" + file))).header.uprightSize == PixelSize(square: 90)
        )
    }

    @Test("Initials of several sizes are several files, whatever the template says of their names")
    func initialsNames() throws {
        let place = try Workplace()
        let run = try CommandRun(["avatar", "--initials", "AB", "--name", "pic", "-o", place.output.path])
        #expect(run.status == 0 && Set(run.lines).count == 2 && place.outputs.count == 2)
    }
}

struct SheetCommandTests {
    @Test("A sheet has the size that its layout says, and shows what could not be drawn")
    func sheet() throws {
        let place = try Workplace()
        for index in 0..<5 { try place.add("p\(index).jpg") }
        try place.add("broken.jpg", Data("no".utf8))
        let file = place.url.appendingPathComponent("sheet.png").path
        let run = try CommandRun([
            "sheet", place.input.path, "-o", file, "--columns", "3", "--size", "60x40", "--no-labels",
        ])
        #expect(run.status == 1 && run.text == file + "\n" && run.errors.contains("broken.jpg: not an image"))
        let opened = try OpenedImage(.file(FilePath(file)))
        // Three cells of 60 and four gaps of 4 across; two of 40 and three gaps down.
        #expect(opened.header.uprightSize == PixelSize(width: 196, height: 92))
        let pixels = try Renderer().render(opened, [.thumbnail(PixelSize(square: 200))]).images[0].pixels
        #expect(pixels[0, 0] == [255, 255, 255])
        // The second cell holds a picture of the shade that the test paints.
        #expect(Pictures.close(pixels[4 + 64 + 30, 4 + 20], [90, 140, 60]))
    }

    @Test("A sheet is the same whether its pictures are decoded in workers or not")
    func isolatedSheet() throws {
        let place = try Workplace()
        for index in 0..<3 { try place.add("p\(index).jpg") }
        let sheets = try ["required", "none"].map { how in
            let file = place.url.appendingPathComponent("\(how).png")
            #expect(try CommandRun(["sheet", place.input.path, "-o", file.path, "--isolate", how]).status == 0)
            return try Data(contentsOf: file)
        }
        #expect(sheets[0] == sheets[1])
        #expect(try CommandRun(["sheet", place.input.path, "-o", "s.png", "--isolate", "maybe"]).status == 2)
    }

    @Test("A page that nobody named replaces pages of an earlier sheet and nothing else")
    func pages() throws {
        let place = try Workplace()
        for name in ["a.png", "b.png", "s-2.png"] { try place.add(name) }
        let photo = place.input.appendingPathComponent("s-2.png")
        let before = try Data(contentsOf: photo)
        // Two cells of 8000 pixels fit on a page; the first page is called like no input.
        func sheet() throws -> CommandRun {
            try CommandRun(
                ["sheet", "in", "-o", "in/s.png", "--columns", "1", "--size", "60x8000", "--no-labels"],
                folder: place.url)
        }
        let refused = try sheet()
        #expect(refused.status == 2 && refused.errors.contains("in/s-2.png"))
        #expect(
            try Data(contentsOf: photo) == before
                && !FileManager.default.fileExists(atPath: place.input.path + "/s.png"))
        try FileManager.default.moveItem(at: photo, to: place.input.appendingPathComponent("c.png"))
        let first = try sheet()
        #expect(first.status == 0 && first.lines == ["in/s.png", "in/s-2.png"])
        // Again, without the pages themselves, and not over what took the place of one.
        let made = try Data(contentsOf: photo)
        #expect(try sheet().lines == first.lines)
        #expect(try Data(contentsOf: photo) == made)
        try before.write(to: photo)
        #expect(try sheet().status == 2)
        #expect(try Data(contentsOf: photo) == before)
    }

    @Test(
        "A sheet that would be too wide, or of no known format, is a usage error",
        arguments: [["--columns", "900"], ["-o", "sheet.bmp"]])
    func usage(extra: [String]) throws {
        let place = try Workplace()
        try place.add("a.jpg")
        #expect(try CommandRun(["sheet", place.input.path, "-o", place.url.path + "/s.jpg"] + extra).status == 2)
    }

    private enum Pictures {
        static func close(_ a: [UInt8], _ b: [UInt8]) -> Bool { zip(a, b).allSatisfy { abs(Int($0) - Int($1)) < 6 } }
    }
}

struct InspectCommandTests {
    private static func sample(_ name: String) -> String { Workplace.repository.path + "/Samples/Photos/" + name }

    @Test("Inspect shows what the header says, as text")
    func text() throws {
        let file = Self.sample("Eight Ways Up/6 Turned left.jpg")
        #expect(
            try CommandRun(["inspect", file]).text == """
                \(file)
                  format   JPEG
                  upright  640×480
                  stored   480×640, orientation 6
                  colour   RGB, 8 bits
                  date     2025-10-12T14:06:30+02:00
                  place    47.2231, 8.6702
                  preview  160×120

                """)
    }

    @Test("Inspect shows the faces, unless asked not to")
    func faces() throws {
        let file = Self.sample("Portraits/Jonas.jpg")
        #expect(try CommandRun(["inspect", file]).lines.last?.hasPrefix("  face     ") == true)
        #expect(try !CommandRun(["inspect", "--no-faces", file]).text.contains("face "))
        for (options, count) in [([], 1), (["--no-faces"], nil as Int?)] {
            let run = try CommandRun(["inspect", "--json", file] + options)
            let object = try #require(JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let faces = object["faces"] as? [[Double]]
            #expect(faces?.count == count && faces?.allSatisfy { $0.count == 5 } ?? true)
        }
    }

    @Test("Inspect shows the same as JSON, one object a picture, failures among them")
    func json() throws {
        let run = try CommandRun([
            "inspect", "--json", Self.sample("By the Sea/Sunset in Display P3.jpg"), "/no/such.jpg",
        ])
        #expect(run.status == 1 && run.lines.count == 2)
        let objects = try run.lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let object = try #require(objects.first { $0["error"] == nil })
        #expect(object["profile"] as? String == "Display P3" && object["upright"] as? [Int] == [1600, 1200])
        #expect(
            object["date"] as? String == "2025-10-18T18:42:07+01:00"
                || (object["date"] as? String)?.hasPrefix("2025-10-18T18:42") == true)
        #expect((objects.first { $0["error"] != nil }?["error"] as? [String: Any])?["kind"] as? String == "unreadable")
    }
}
