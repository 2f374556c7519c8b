import Foundation
import JPEGPreview
import JPEGReference
import Testing

enum Files {
    /// Decoding is one thread's work: the thread sanitizer, under which it takes twenty times as long, sees nothing new.
    static let isForThreads = ProcessInfo.processInfo.environment["CAMEO_SANITIZER"] == "thread"
    static let isSlowRun = ProcessInfo.processInfo.environment["CAMEO_SLOW_TESTS"] != nil
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every JPEG of the corpus beside the repository, by its path within it; none where there is no corpus.
    static let corpus: [String] = {
        let folder = repository.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
        guard let walk = FileManager.default.enumerator(atPath: folder) else {
            print("skipped: tests of real JPEGs, since shared/corpus is not beside the repository")
            return []
        }
        let all = walk.compactMap { $0 as? String }
            .filter { ["jpg", "jpeg"].contains(($0 as NSString).pathExtension.lowercased()) }.sorted()
        guard isForThreads else { return all }
        return all.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    }()

    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = repository.deletingLastPathComponent().appendingPathComponent("shared/corpus")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }
}

extension DCDecoder {
    init(_ bytes: [UInt8], splitSize: Int = 1 << 17) throws(JPEGPreviewError) {
        self = try bytes.span.withUnsafeBytes { buffer throws(JPEGPreviewError) in
            try DCDecoder(buffer, splitSize: splitSize)
        }
    }
}

extension EighthPicture {
    init(_ bytes: [UInt8]) throws(JPEGPreviewError) {
        self = try bytes.span.withUnsafeBytes { buffer throws(JPEGPreviewError) in try EighthPicture(buffer) }
    }
}

/// How our coefficients differ from libjpeg's; nil where they do not.
func difference(_ ours: DCDecoder, _ theirs: Reference.Coefficients) -> String? {
    guard ours.width == theirs.width, ours.height == theirs.height else {
        return "\(ours.width) × \(ours.height) instead of \(theirs.width) × \(theirs.height)"
    }
    for (index, (plane, wanted)) in zip(ours.planes, theirs.planes).enumerated() {
        guard plane.columns == wanted.columns, plane.rows == wanted.rows else {
            return "component \(index) of \(plane.columns) × \(plane.rows) blocks"
        }
        if plane.quantizer != wanted.quantizer { return "component \(index) quantised by \(plane.quantizer)" }
        for row in 0..<plane.rows {
            for column in 0..<plane.columns {
                // What refinement scans tell is not read.
                let value = wanted.values[row * plane.columns + column] & ~(1 << Int16(plane.missingBits) - 1)
                if plane[column, row] != value {
                    return "component \(index), block \(column), \(row): \(plane[column, row]) instead of \(value)"
                }
            }
        }
    }
    return ours.planes.count == theirs.planes.count ? nil : "\(ours.planes.count) components"
}
