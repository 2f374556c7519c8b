import Synchronization
import Testing

@testable import Cameo

/// How a list comes.
@Suite struct LoadingTests {
    let library = TestLibrary()

    private func states<List>(_ stream: AsyncStream<LoadingState<List>>) async -> [LoadingState<List>] {
        var states: [LoadingState<List>] = []
        for await state in stream { states.append(state) }
        return states
    }

    @Test func aLibraryWithNoAlbumsLeavesTheLoadingState() async throws {
        let open = try library.open()
        guard case .empty = await states(open.albums()).last else {
            Issue.record("still loading")
            return
        }
        guard case .empty = await states(open.assets()).last else {
            Issue.record("still loading")
            return
        }
    }

    @Test func anErrorLeavesTheLoadingState() async throws {
        let open = try library.open()
        library.move("", to: "../gone")
        guard case .failed(let reason) = await states(open.albums()).last else {
            Issue.record("no failure")
            return
        }
        #expect(reason.contains("cannot be read"))
    }

    @Test func aCancelLeavesTheLoadingState() async throws {
        for index in 0..<50 { library.write("\(index).jpg", MadeUp.jpeg(salt: "\(index)")) }
        let open = try library.open()
        let task = Task { try await open.scan() }
        task.cancel()
        _ = await task.result
        let last = await states(open.albums()).last
        #expect(last?.isFinal == true)
        // Whatever the cancelled scan left, the next one completes.
        #expect(try await open.scan().count == 50)
        #expect(await states(open.assets()).last?.list?.count == 50)
    }

    @Test func aLargeLibraryIsShownAsItArrivesAndItsPartsNeverLie() async throws {
        for index in 0..<1500 { library.write("\(index).jpg", MadeUp.jpeg(salt: "\(index)")) }
        let open = try library.open()
        // At the source, since a stream's reader may be too slow to see a step.
        let parts = Mutex<[[Asset.ID]]>([])
        open.state.withLock { state in
            state.progressObservers[-1] = { progress in
                if case .partial = progress.phase { parts.withLock { $0.append(progress.snapshot.recents.map(\.id)) } }
            }
        }
        let last = await states(open.assets()).last
        guard case .data(let list) = last else {
            Issue.record("no data")
            return
        }
        #expect(list.count == 1500)
        let all = Set(list.map(\.id))
        let shown = parts.withLock { $0 }
        #expect(shown.map(\.count) == [512])
        // An identifier that was shown is final.
        #expect(shown.allSatisfy { all.isSuperset(of: $0) })
    }

    @Test func whoComesLateGetsTheLastStateAtOnce() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        let open = try library.open()
        try await open.scan()
        let states = await states(open.moments())
        #expect(states.count == 1)
        #expect(states[0].list?.count == 1)
        #expect(states[0].isFinal)
    }
}
