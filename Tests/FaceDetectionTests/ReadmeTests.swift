import Cameo
import FaceDetection
import Foundation
import Testing

/// The README's Swift about faces, compiled: the lines between the marks are the README's own.
struct ReadmeTests {
    static func example(photo: ImageSource) throws -> RenderedImage {
        // README begins
        let renderer = Renderer(faces: FaceSearch(FrontalFaceDetector(), memory: FaceStore.standard))
        // Its focus tells what placed the crop.
        let circle = try renderer.render(photo, [.profilePicture(200)]).images[0]
        // README ends
        return circle
    }

    @Test("The README's Swift about faces is what is compiled here")
    func readme() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: repository.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let parts = source.components(separatedBy: "// README ")
        let shown = parts[1].split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        #expect(shown.count == 3)
        for line in shown { #expect(readme.contains(line), "the README does not have \(line)") }
    }
}
