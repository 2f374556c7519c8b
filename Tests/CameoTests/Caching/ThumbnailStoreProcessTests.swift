import Foundation
import Testing

@testable import Cameo

/// A store that several processes use, some of which are killed.
@Suite(.serialized) struct ThumbnailStoreProcessTests {
    private static func filler(_ folder: FilePath, first: Int, count: Int, limit: Int, seconds: Int) throws -> Process {
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let beside = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        let process = Process()
        process.executableURL = beside.appendingPathComponent("StoreFiller")
        process.arguments = [folder.description] + [first, count, limit, seconds].map { "\($0)" }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // Its first word: it is about to fill.
        _ = output.fileHandleForReading.availableData
        return process
    }

    private static func isRight(_ store: ThumbnailStore, _ numbers: Range<Int>) -> Bool {
        numbers.allSatisfy { number in
            let found = store.thumbnail(for: ThumbnailStoreTests.key(number))
            return found == nil || found == ThumbnailStoreTests.expected(number)
        }
    }

    /// A child of a build for a sanitizer takes two seconds to start.
    private static let kills = Patience.isSanitized ? 10 : 100

    @Test("Killed a hundred times while it fills, the store opens, is clean, and every entry is right")
    func killed() throws {
        let folder = try TemporaryFolder()
        var random = Seeded(7)
        var most = 0
        let store = ThumbnailStore(folder: folder.path)
        for _ in 0..<Self.kills {
            let process = try Self.filler(folder.path, first: 0, count: 400, limit: 1 << 20, seconds: 60)
            usleep(Patience.factor * UInt32.random(in: 5000..<70_000, using: &random))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let result = try store.verify()
            #expect(result.isClean)
            most = max(most, result.whole)
        }
        #expect(most > Self.kills)
        #expect(Self.isRight(ThumbnailStore(folder: folder.path), 0..<400))
    }

    @Test("Two processes fill and trim one store: nothing is lost, and no lock error reaches the caller")
    func together() throws {
        let folder = try TemporaryFolder()
        let fillers = try [0, 150].map {
            try Self.filler(folder.path, first: $0, count: 200, limit: 1 << 20, seconds: 2)
        }
        let store = ThumbnailStore(folder: folder.path)
        for _ in 0..<20 {
            #expect(Self.isRight(store, 0..<350))
            usleep(20_000)
        }
        for filler in fillers {
            filler.waitUntilExit()
            #expect(filler.terminationReason == .exit && filler.terminationStatus == 0)
        }
        #expect(try store.verify().isClean)
    }

    @Test("What one process put in, others find, as long as there is room")
    func noLostUpdate() throws {
        let folder = try TemporaryFolder()
        let fillers = try (0..<2).map {
            try Self.filler(folder.path, first: $0 * 300, count: 300, limit: 1 << 30, seconds: 1)
        }
        fillers.forEach { $0.waitUntilExit() }
        let store = ThumbnailStore(folder: folder.path)
        for number in 0..<600 {
            #expect(store.thumbnail(for: ThumbnailStoreTests.key(number)) == ThumbnailStoreTests.expected(number))
        }
    }
}
