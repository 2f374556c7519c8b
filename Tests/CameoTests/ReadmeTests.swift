import FaceDetection
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

    static func pipeline(_ show: @escaping @Sendable (PixelBuffer) -> Void) async throws {
        // README begins
        let library = try AssetLibrary(folders: ["Samples/Photos"])
        var configuration = ImagePipeline.Configuration()
        configuration.store = .standard  // encoded thumbnails that outlive the process, 2 GiB at most
        configuration.hashes = library  // a blur of each photo, to be shown before anything else
        let pipeline = ImagePipeline(configuration)

        let cell = Rendition(size: PixelSize(square: 256), mode: .fill)
        for asset in try await library.scan().recents.suffix(40) {
            let request = ImageRequest(asset, cell, priority: .visible)
            if let image = pipeline.cachedImage(for: request) {  // in a frame: nothing waits
                show(image.pixels)
                continue
            }
            let task = pipeline.start(request)  // task.cancel() when the cell leaves the screen
            task.observe(on: .main) { event in  // .degraded any number of times, then one end
                if let image = event.image { show(image.pixels) }
            }
        }
        // README ends
    }

    static func faces(_ photo: ImageSource) throws {
        // README begins
        let faces = FaceSearch(FrontalFaceDetector(), memory: FaceStore.standard)
        let circle = try Renderer(faces: faces).render(photo, [.profilePicture(200)]).images[0]
        print(circle.focus, circle.crop)  // what placed the crop, and where
        // README ends
    }

    @Test("The README's Swift is what is compiled here")
    func readme() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let readme = try String(contentsOf: Corpus.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func places(_ mark: String) -> [Int] {
            lines.indices.filter { lines[$0].trimmingCharacters(in: .whitespaces) == "// README \(mark)" }
        }
        let examples = Array(zip(places("begins"), places("ends")))
        #expect(examples.count == readme.components(separatedBy: "```swift").count - 1)
        for (start, end) in examples {
            let shown = lines[(start + 1)..<end].map { String($0.dropFirst(8)) }.joined(separator: "\n")
            #expect(readme.contains(shown), "the README's Swift is not this:\n\(shown)")
        }
    }
}
