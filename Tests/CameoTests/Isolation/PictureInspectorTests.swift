import FaceDetection
import Foundation
import Testing

@testable import Cameo

struct PictureInspectorTests {
    private static let portrait = ImageSource.file(FilePath(Corpus.sample("Portraits/Amara.jpg").description))

    @Test("Faces are found elsewhere as they are here, and remembered here", arguments: Isolation.allCases)
    func faces(isolation: Isolation) throws {
        let folder = try TemporaryFolder()
        let store = FaceStore(folder: folder.path)
        let search = FaceSearch(FrontalFaceDetector(), memory: store)
        let inspector = PictureInspector(faces: search, isolation: isolation, workerExecutable: Worker.executable)
        let seen = try inspector.look(at: Self.portrait)
        let opened = try OpenedImage(Self.portrait)
        let found = try Renderer(faces: FaceSearch(FrontalFaceDetector())).faces(in: opened)
        #expect(seen.header == opened.header && found?.count == 1)
        #expect(try seen.faces.get() == found)
        #expect(search.remembered(opened.stamp) == found)
        inspector.endIdleWorkers()
        #expect(try inspector.look(at: Self.portrait).faces.get() == found)
    }

    private struct OtherDetector: FaceDetecting {
        var version: String { "other 1" }
        var searchSides: [Int] { [400] }
        func faces(in picture: GreyPixels) -> [DetectedFace] { [] }
    }

    @Test(
        "Where workers find faces by something else, or have nothing for it, that is said, and no picture is to blame")
    func otherDetector() throws {
        let own = FrontalFaceDetector()
        let folder = try TemporaryFolder()
        let faceless = folder.path.appending("faceless")
        try FileManager.default.createSymbolicLink(
            atPath: faceless.description, withDestinationPath: Worker.beside("ForgetfulHost").description)
        for (detector, executable, words) in [
            (
                OtherDetector() as any FaceDetecting, Worker.executable,
                "by other 1, and \(Worker.executable) finds them by \(own.version) "
            ),
            (own, faceless, "by \(own.version), and \(faceless) has no detector "),
        ] {
            let inspector = PictureInspector(
                faces: FaceSearch(detector), isolation: .auto, workerExecutable: executable)
            let error = Worker.error { () throws(RenderError) in _ = try inspector.look(at: Self.portrait) }
            #expect(error?.kind == "environment")
            #expect(
                "\(error.map { "\($0)" } ?? "")".contains("faces are searched for \(words)"),
                "\(String(describing: error))")
        }
        // Who searches for none can do without.
        let inspector = PictureInspector(isolation: .auto, workerExecutable: faceless)
        #expect(try inspector.look(at: Self.portrait).header.storedSize.width == 1600)
    }

    @Test("Without a search nothing is decoded, and without a header there is an error", arguments: Isolation.allCases)
    func headers(isolation: Isolation) throws {
        let inspector = PictureInspector(isolation: isolation, workerExecutable: Worker.executable)
        #expect(try inspector.look(at: Self.portrait).faces.get() == nil)
        #expect(throws: RenderError.notAnImage(source: "words")) {
            try inspector.look(at: .bytes(Array("no picture at all".utf8), name: "words"))
        }
    }

    @Test("A picture whose pixels cannot be had still shows its header", arguments: Isolation.allCases)
    func damaged(isolation: Isolation) throws {
        let inspector = PictureInspector(
            faces: FaceSearch(FrontalFaceDetector()), isolation: isolation, workerExecutable: Worker.executable)
        let whole = try Pictures.quarters(PixelSize(width: 300, height: 200)).encoded(Encoding(.png)).bytes
        // The header and the beginning of the first chunk of pixels, which is damaged.
        let bytes = Array(whole.prefix(60)) + [UInt8](repeating: 7, count: 200)
        let seen = try inspector.look(at: .bytes(bytes, name: "half"))
        #expect(seen.header.storedSize == PixelSize(width: 300, height: 200))
        let here = try PictureInspector(faces: FaceSearch(FrontalFaceDetector())).look(at: .bytes(bytes, name: "half"))
        #expect(seen.faces == here.faces)
    }
}
