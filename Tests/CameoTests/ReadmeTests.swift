import Foundation
import Testing

@testable import Cameo

/// The README's Swift, compiled: the lines between the marks are the README's own.
struct ReadmeTests {
    static func example() throws {
        // README begins
        let photo = ImageSource.file("Samples/Photos/Portraits/Amara.jpg")
        let renditions: [Rendition] = [
            .thumbnail(PixelSize(square: 256)),
            .profilePicture(200, focus: .attention),
        ]
        for image in try Renderer().render(photo, renditions).images {
            let (format, bytes) = try image.encoded()
            try WholeFile.write(bytes, to: "\(image.rendition.shape).\(format.fileExtension)")
        }
        // README ends
    }

    @Test("The README's Swift is what is compiled here")
    func readme() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let readme = try String(contentsOf: Corpus.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex { $0.contains("// README begins") })
        let end = try #require(lines.firstIndex { $0.contains("// README ends") })
        let shown = lines[(start + 1)..<end].map { String($0.dropFirst(8)) }.joined(separator: "\n")
        #expect(readme.contains(shown), "the README's Swift is not this:\n\(shown)")
    }
}
