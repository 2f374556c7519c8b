import Foundation

/// What a finger does to a grid: recorded once, replayed against every engine. A small JSON file; see the README.
package struct Trace: Codable, Hashable, Sendable {
    /// Where the grid stands at the beginning.
    package enum Start: Hashable, Sendable {
        /// At this share of the way from the top to the end.
        case share(Double)
        /// As many points before the end.
        case beforeEnd(Double)
    }

    /// A short name, for the command line and for files.
    package var name: String
    /// What a reader calls it.
    package var title: String
    /// One sentence: what happens, and what it shows.
    package var about: String
    /// Columns at the beginning.
    package var columns: Int
    /// Where it begins.
    package var start: Start
    /// What happens, one after the other.
    package var steps: [TraceStep]

    /// The traces in `folder`, in the order of their file names.
    package static func all(in folder: URL) throws -> [Trace] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map { file in
            do {
                return try JSONDecoder().decode(Trace.self, from: Data(contentsOf: file))
            } catch {
                throw BenchmarkError.trace(file.path, "\(error)")
            }
        }
    }

    /// The traces that come with the benchmark.
    package static func recorded() throws -> [Trace] { try all(in: Bundle.module.bundleURL.appending(path: "Traces")) }
}

extension Trace.Start: Codable {
    private enum CodingKeys: String, CodingKey {
        case share, beforeEnd
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let share = try container.decodeIfPresent(Double.self, forKey: .share) {
            self = .share(share)
        } else {
            self = .beforeEnd(try container.decode(Double.self, forKey: .beforeEnd))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .share(let share): try container.encode(share, forKey: .share)
        case .beforeEnd(let points): try container.encode(points, forKey: .beforeEnd)
        }
    }
}

/// What stops the benchmark.
package enum BenchmarkError: Error, CustomStringConvertible {
    /// A trace file that cannot be read: its path and what is wrong.
    case trace(String, String)
    /// A folder without a photo that can be used.
    case noPhotos(String)
    /// A file that cannot be made or read: its path and the reason.
    case file(String, String)
    /// Something on the command line.
    case usage(String)

    /// One sentence for people.
    package var description: String {
        switch self {
        case .trace(let path, let reason): "\(path) is no trace: \(reason)"
        case .noPhotos(let path): "\(path) holds no photo that can be read"
        case .file(let path, let reason): "\(path): \(reason)"
        case .usage(let text): text
        }
    }
}
