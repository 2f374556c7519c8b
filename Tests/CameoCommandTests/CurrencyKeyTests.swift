import Testing

@testable import Cameo
@testable import CameoCommand

struct CurrencyKeyTests {
    @Test("What faces placed is made again by another detector, and nothing else is")
    func detector() throws {
        let stamp = ContentStamp(size: 1, inode: 2, modified: 3, changed: 4, isRacy: false)
        var upper = BatchSettings.avatar
        upper.focus = .upper
        for (settings, depends) in [(BatchSettings.avatar, true), (upper, false), (BatchSettings(), false)] {
            let outputs = settings.outputs
            let engines = ["1", "2"].map { CurrencyKey.engine(outputs, detector: $0) }
            #expect((engines[0] != engines[1]) == depends)
            let text = String(
                decoding: JSONLine.encode(CurrencyKey(stamp: stamp, digest: nil, outputs: outputs)), as: UTF8.self)
            let version = FaceSearch.standard.detector.version
            #expect(text.contains(version) == depends)
            func isCurrent(_ text: String) throws -> Bool {
                let key = try #require(JSONLine.decode(CurrencyKey.self, Array(text.utf8)))
                return key.isCurrent(stamp, outputs, path: "none", options: RenderOptions())
            }
            #expect(try isCurrent(text))
            let older = text.replacing(version, with: "dlib-frontal-0")
            #expect(try isCurrent(older) != depends)
        }
    }
}
