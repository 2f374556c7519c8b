import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

struct InputWalkerTests {
    /// What is found in the workplace's inputs, by path; no more than a thousand.
    private static func found(in place: Workplace) -> [String] {
        var paths: [String] = []
        InputWalker(naming: nil, outputFolder: nil, unreadable: { _, _ in true }) { input in
            paths.append(String(input.path.description.dropFirst(place.input.path.count + 1)))
            return paths.count < 1000
        }.walk([FilePath(place.input.path)])
        return paths
    }

    private static func link(_ name: String, to target: String, in place: Workplace) throws {
        let path = place.input.appendingPathComponent(name).path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test("Folders with two links each to the next are walked once, and in time")
    func diamonds() throws {
        let place = try Workplace()
        let count = 30
        for number in 0..<count {
            try place.add("\(number)/a.jpg", Data([1]))
            if number + 1 < count {
                try Self.link("\(number)/left", to: "../\(number + 1)", in: place)
                try Self.link("\(number)/right", to: "../\(number + 1)", in: place)
            }
        }
        let found = Self.found(in: place)
        // By its own name each folder, and at most once more by a link.
        #expect(Set(found).count == found.count && found.count <= 2 * count)
        for number in 0..<count { #expect(found.contains("\(number)/a.jpg")) }
    }

    @Test("A folder behind a link is walked by the link's name too, and a loop ends")
    func links() throws {
        let place = try Workplace()
        try place.add("real/a.jpg", Data([1]))
        try Self.link("way", to: "real", in: place)
        try Self.link("real/loop", to: "..", in: place)
        #expect(Self.found(in: place).sorted() == ["real/a.jpg", "way/a.jpg"])
    }
}
