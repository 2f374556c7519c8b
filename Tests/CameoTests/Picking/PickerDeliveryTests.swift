import Dispatch
import Synchronization
import Testing

@testable import Cameo

/// How the result reaches whoever started the picker.
@Suite struct PickerDeliveryTests {
    let library = MemoryLibrary(count: 10)

    @Test("Preselected beyond the limit: finishing is refused until it fits")
    func tooManyPreselected() throws {
        let picker = Picker(PickerConfiguration(limit: 2, preselected: ["3", "1", "2"]), library: library)
        #expect(picker.finishRefusal == .tooMany(count: 3, limit: 2))
        #expect(throws: PickingError.tooMany(count: 3, limit: 2)) { try picker.finish() }
        #expect(picker.outcome == nil)
        #expect(throws: PickingError.limitReached(limit: 2)) { try picker.pick("5") }
        picker.drop("1")
        #expect(try picker.finish().ids == ["3", "2"])
    }

    @Test("Preselected beyond the limit: cancelling gives them all back")
    func cancelGivesBack() async throws {
        let preselected: [Asset.ID] = ["3", "1", "not there", "2"]
        let picker = Picker(PickerConfiguration(limit: 2, preselected: preselected), library: library)
        #expect(picker.selection.ids == ["3", "1", "2"])
        picker.drop("1")
        picker.cancel()
        let outcome = await picker.result
        #expect(outcome.isCancelled)
        #expect(outcome.ids == preselected)
    }

    @Test("A picker does not finish with fewer than the minimum")
    func tooFew() throws {
        let picker = Picker(PickerConfiguration(limit: 3, minimum: 2), library: library)
        try picker.pick("0")
        #expect(throws: PickingError.tooFew(count: 1, minimum: 2)) { try picker.finish() }
        try picker.pick("1")
        #expect(try picker.finish().ids == ["0", "1"])
    }

    @Test("Delegate, callback, await and every stream are told the end exactly once, and so is who comes late")
    func everybodyOnce() async throws {
        let owner = Owner()
        let picker = Picker(PickerConfiguration(limit: 2), library: library, delegate: owner)
        let calls = Mutex(0)
        let queue = DispatchQueue(label: "tests")
        let group = DispatchGroup()
        for _ in 0..<2 {
            group.enter()
            picker.onFinish(on: queue) { _ in
                dispatchPrecondition(condition: .onQueue(queue))
                calls.withLock { $0 += 1 }
                group.leave()
            }
        }
        let streams = (0..<3).map { _ in picker.events }
        async let first = picker.result
        async let second = picker.result
        try picker.pick("4")
        try picker.finish()
        picker.cancel()
        #expect(throws: PickingError.finished) { try picker.finish() }
        #expect(await first.ids == ["4"])
        #expect(await second.ids == ["4"])
        #expect(await picker.result.ids == ["4"])
        for stream in streams {
            #expect(await stream.reduce(into: []) { $0.append($1.summary) } == owner.events)
        }
        #expect(owner.events == ["will pick 4, 0", "did pick 4, 1", "finished 1"])
        #expect(await picker.events.reduce(into: []) { $0.append($1.summary) } == ["finished 1"])
        group.enter()
        picker.onFinish(on: queue) { _ in group.leave() }
        await withCheckedContinuation { continuation in group.notify(queue: queue) { continuation.resume() } }
        #expect(calls.withLock { $0 } == 2)
        #expect(!picker.drop("4"))
        #expect(picker.selection.ids == ["4"])
    }

    @Test("Cancelling the task that waits cancels the picker, before or while it waits")
    func cancelledTask() async {
        for waits in [false, true] {
            let picker = Picker(PickerConfiguration(preselected: ["1"]), library: library)
            let task = Task { await picker.result }
            if waits { await Task.yield() }
            task.cancel()
            #expect(await task.value.ids == ["1"])
            #expect(picker.outcome?.isCancelled == true)
        }
    }

    @Test("A picker that nobody keeps is cancelled, and says so")
    func released() async {
        var picker: Picker? = Picker(library: library)
        let stream = picker?.events
        let outcome = await withCheckedContinuation { continuation in
            picker?.onFinish(on: .global()) { continuation.resume(returning: $0) }
            picker = nil
        }
        #expect(outcome.isCancelled)
        #expect(await stream?.reduce(into: []) { $0.append($1.summary) } == ["cancelled"])
    }

    @Test("The owner is not kept by the picker")
    func weakOwner() {
        let picker = Picker(library: library)
        do {
            let owner = Owner()
            picker.delegate = owner
            #expect(picker.delegate != nil)
        }
        #expect(picker.delegate == nil)
    }

    @Test("A callback may call the picker: pick, drop, finish and ask, without deadlock")
    func reentrant() async throws {
        let owner = Owner { picker, event in
            switch event {
            case .willPick(let id, _):
                #expect(picker.refusal(of: id) == .alreadyPicked(id))
            case .didPick("0", _):
                _ = try? picker.pick("1")
            case .didPick("1", _):
                picker.drop("0")
            case .didDrop:
                _ = try? picker.finish()
            default: break
            }
        }
        let picker = Picker(PickerConfiguration(limit: 2), library: library, delegate: owner)
        try picker.pick("0")
        #expect(await picker.result.ids == ["1"])
        #expect(owner.events.last == "finished 1")
    }

    @Test("A pick that the owner's callback ends the picker under is refused")
    func endsWhilePicking() {
        let owner = Owner { picker, event in
            if case .willPick = event { picker.cancel() }
        }
        let picker = Picker(library: library, delegate: owner)
        #expect(throws: PickingError.finished) { try picker.pick("0") }
        #expect(picker.selection.isEmpty)
    }
}
