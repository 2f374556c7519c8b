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
                decoding: JSONLine.encode(CurrencyKey(stamp: stamp, digest: nil, outputs: outputs, isStrict: false)),
                as: UTF8.self)
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

    @Test("A strict run makes again what was not made by one, and its outputs are current for any run")
    func strictRuns() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        for (arguments, status) in [
            ([], ResultLine.Status.rendered), (["--strict"], .rendered), (["--strict"], .current), ([], .current),
            (["--strict"], .current),
        ] {
            let command = ["thumbnails", place.input.path, "-o", place.output.path, "--json"]
            #expect(try CommandRun(command + arguments).results.map(\.status) == [status])
        }
    }

    @Test("What was made strictly is current for every run, and what was not is for one that is not strict")
    func strictness() throws {
        let (racy, settled) = (
            ContentStamp(size: 1, inode: 2, modified: 3, changed: 4, isRacy: true),
            ContentStamp(size: 1, inode: 2, modified: 3, changed: 4, isRacy: false)
        )
        let outputs = BatchSettings().outputs
        for (wasStrict, isStrict, isCurrent) in [
            (false, false, true), (false, true, false), (true, false, true), (true, true, true),
        ] {
            let made = CurrencyKey(stamp: racy, digest: "of it", outputs: outputs, isStrict: wasStrict)
            let kept = JSONLine.encode(CurrencyKey(made, settled: settled))
            let key = try #require(JSONLine.decode(CurrencyKey.self, kept))
            var options = RenderOptions()
            options.isStrict = isStrict
            #expect(key.isCurrent(settled, outputs, path: "none", options: options) == isCurrent)
        }
    }
}
