import Foundation
import Testing

@testable import Cameo

/// The real files with known results, which lie beside the repository where they are at hand.
enum Corpus {
    /// One line of the manifest.
    struct Entry: CustomTestStringConvertible, Sendable {
        let path: String
        let format: String
        let expected: [Outcome]
        var testDescription: String { path }
        var file: FilePath { FilePath(Corpus.folder.path + "/" + path) }
    }

    /// What is right for a file; of several, any.
    enum Outcome: Sendable {
        case picture(Picture)
        case error(Set<String>)
    }

    struct Picture: Sendable {
        var width = 0.0
        var height = 0.0
        var mean: [Double]?
        var quarters: [[Double]]?
        var tolerance = 6.0
        var isPartial = false
    }

    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let folder = repository.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    static var isAbsent: Bool { entries.isEmpty }

    static let entries: [Entry] = {
        guard let text = try? String(contentsOf: folder.appendingPathComponent("MANIFEST.tsv"), encoding: .utf8) else {
            print("skipped: tests of real files, since shared/corpus is not beside the repository")
            return []
        }
        return text.split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Entry(path: columns[0], format: columns[5], expected: outcomes(columns[9]))
        }
    }()

    /// For what one thread does with each file: all of them, and under the thread sanitizer, which sees nothing new in that
    /// and takes ten times as long, a third.
    static let oneByOne = entries.enumerated().filter { !Patience.isForThreads || $0.offset % 3 == 0 }.map(\.element)

    static func file(_ name: String) -> FilePath { FilePath(folder.path + "/" + name) }
    static func sample(_ name: String) -> FilePath { FilePath(repository.path + "/Samples/Photos/" + name) }

    /// The manifest's words for errors, and the kinds that may stand for them.
    private static let kinds: [String: Set<String>] = [
        "empty": ["empty"], "not-an-image": ["notAnImage", "unsupported", "corrupt"], "unsupported": ["unsupported"],
        "corrupt": ["corrupt", "unsupported", "tooLarge"], "truncated": ["corrupt"], "too-large": ["tooLarge"],
    ]

    private static func outcomes(_ text: String) -> [Outcome] {
        text.components(separatedBy: "||").map { part in
            let part = part.trimmingCharacters(in: .whitespaces)
            if part.hasPrefix("error:") {
                let words = part.dropFirst(6).split(separator: "/").map { $0.trimmingCharacters(in: .whitespaces) }
                return .error(words.reduce(into: []) { $0.formUnion(kinds[$1] ?? []) })
            }
            var picture = Picture()
            for field in part.components(separatedBy: ";").dropFirst() {
                let pair = field.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1).map(
                    String.init)
                guard pair.count == 2 else { continue }
                switch pair[0] {
                case "size":
                    let sides = pair[1].split(separator: "x").compactMap { Double($0) }
                    (picture.width, picture.height) = (sides[0], sides[1])
                case "mean": picture.mean = pair[1].split(separator: ",").compactMap { Double($0) }
                case "quad":
                    picture.quarters = pair[1].split(separator: "/").map { digits in
                        let value = Int(digits, radix: 16) ?? 0
                        return [16, 8, 0].map { Double(value >> $0 & 255) }
                    }
                case "tol": picture.tolerance = max(6, Double(pair[1]) ?? 6)
                case "partial": picture.isPartial = true
                default: break
                }
            }
            return .picture(picture)
        }
    }
}
