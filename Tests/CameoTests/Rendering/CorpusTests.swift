import Foundation
import Synchronization
import Testing

@testable import Cameo

/// Every file of the corpus against what decoders other than libvips make of it.
@Suite(.disabled(if: Corpus.isAbsent, "shared/corpus is not beside the repository"))
struct CorpusTests {
    private static let box = PixelSize(square: 256)
    /// Formats that are read only where they are asked for.
    private static let optional: Set<String> = ["JXL", "JP2", "J2K", "SVG", "SVGZ", "BMP"]

    @Test("Every file ends as the manifest says", arguments: Corpus.oneByOne)
    func everyFile(_ entry: Corpus.Entry) {
        let result = Self.render(entry.file, RenderOptions())
        if Self.optional.contains(entry.format) {
            guard case .failure(let error) = result else {
                Issue.record("\(entry.format) was not refused")
                return
            }
            // One that is a picture has to be refused by its name; a broken one may be found broken first.
            let isPicture = entry.expected.contains { if case .picture = $0 { true } else { false } }
            let broken: Set<String> = ["unsupported", "corrupt", "tooLarge", "empty", "notAnImage"]
            #expect((isPicture ? ["unsupported"] : broken).contains(error.kind), "\(error)")
        } else {
            Self.check(result, entry)
        }
    }

    @Test(
        "Every file of an optional format ends as the manifest says once it is allowed",
        arguments: Corpus.entries.filter { optional.contains($0.format) })
    func optionalFormats(_ entry: Corpus.Entry) {
        var options = RenderOptions()
        options.formats.formUnion(ImageFormat.optional)
        // Two JPEG XL files with extra channels, which libvips 8.14's loader gives up on, and a JPEG 2000 whose image
        // does not begin at its grid's origin, which it would read into the wrong places: refused.
        let limits = ["modern/cmyk_layers.jxl", "modern/spot.jxl", "modern/Bretagne2_4.j2k"]
        withKnownIssue(isIntermittent: true) {
            Self.check(Self.render(entry.file, options), entry)
        } when: {
            limits.contains(entry.path)
        }
    }

    private static func render(_ file: FilePath, _ options: RenderOptions) -> Result<
        (PixelBuffer, PixelSize), RenderError
    > {
        do throws(RenderError) {
            let opened = try OpenedImage(.file(file), options: options)
            let result = try Renderer(options: options).render(opened, [.thumbnail(box)])
            return .success((result.images[0].pixels, opened.header.uprightSize))
        } catch {
            return .failure(error)
        }
    }

    private static func check(_ result: Result<(PixelBuffer, PixelSize), RenderError>, _ entry: Corpus.Entry) {
        let reasons = entry.expected.map { outcome in
            switch (outcome, result) {
            case (.error(let kinds), .failure(let error)): kinds.contains(error.kind) ? nil : "error \(error.kind)"
            case (.error(let kinds), .success): "a picture, not \(kinds.sorted())"
            case (.picture, .failure(let error)): "\(error)"
            case (.picture(let picture), .success(let (pixels, upright))): mistake(pixels, upright, picture)
            }
        }
        #expect(reasons.contains(nil), "\(entry.path): \(reasons.compactMap(\.self).joined(separator: " | "))")
    }

    private static func mistake(_ pixels: PixelBuffer, _ upright: PixelSize, _ wanted: Corpus.Picture) -> String? {
        if abs(Double(upright.width) - wanted.width) > 1 || abs(Double(upright.height) - wanted.height) > 1 {
            return "upright \(upright), not \(wanted.width)×\(wanted.height)"
        }
        let scale = min(Double(box.width) / wanted.width, Double(box.height) / wanted.height, 1)
        for (got, want) in [(pixels.size.width, wanted.width), (pixels.size.height, wanted.height)]
        where abs(Double(got) - max(1, want * scale)) > 1.01 {
            return "size \(pixels.size)"
        }
        if wanted.isPartial { return nil }
        if let mean = wanted.mean, Pictures.difference(Pictures.mean(pixels), mean) > wanted.tolerance {
            return "mean \(Pictures.mean(pixels)), not \(mean)"
        }
        guard let quarters = wanted.quarters, min(pixels.size.width, pixels.size.height) >= 8 else { return nil }
        for (part, want) in zip(Pictures.quarters(of: pixels.size), quarters)
        where Pictures.difference(Pictures.mean(pixels, part), want) > wanted.tolerance + 6 {
            return "quarter at \(part): \(Pictures.mean(pixels, part)), not \(want)"
        }
        return nil
    }

    @Test("All files in one process give the same bytes on one worker as on eight")
    func sameBytesOnAnyNumberOfWorkers() {
        let files = Corpus.entries
        func digests(workers: Int) -> [String] {
            let digests = Mutex([String](repeating: "", count: files.count))
            let queue = RenderQueue(workers: workers, memoryBudget: 1 << 30)
            for (index, entry) in files.enumerated() {
                queue.submit {
                    let image = try? Renderer().render(.file(entry.file), [.thumbnail(PixelSize(square: 96))]).images[0]
                    let bytes = (try? image?.encoded().bytes) ?? []
                    digests.withLock { $0[index] = Digest.sha256(bytes) }
                    return nil
                }
            }
            queue.waitUntilIdle()
            return digests.withLock { $0 }
        }
        let (one, eight) = (digests(workers: 1), digests(workers: 8))
        #expect(one == eight)
        #expect(Set(one).count > files.count / 2)
    }
}
