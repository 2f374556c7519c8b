import Synchronization
import Testing

@testable import CameoCommand

struct InterruptionTests {
    @Test("What is to be done at an interruption is done once, also where it is asked for afterwards")
    func late() {
        let counts = Mutex([0, 0, 0])
        @Sendable func count(_ place: Int) { counts.withLock { $0[place] += 1 } }
        let interruption = Interruption()
        interruption.observe([]) { count(0) }
        interruption.observe([]) { count(1) }
        #expect(counts.withLock { $0 } == [0, 0, 0])
        interruption.act()
        interruption.act()
        interruption.observe([]) { count(2) }
        #expect(interruption.isRaised && counts.withLock { $0 } == [1, 1, 1])
    }
}
