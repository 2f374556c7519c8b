import Testing

@testable import Transfer

struct PauseTests {
    @Test("Pauses grow to five seconds, however many there are", arguments: 1...100)
    func growing(attempts: Int) {
        let usual = [0.2, 0.4, 0.8, 1.6, 3.2]
        let expected = attempts <= usual.count ? usual[attempts - 1] : 5
        let pause = TransferClient.pause(after: attempts, backOff: 0.2, wish: nil)
        #expect((0.75 * expected - 0.001...1.25 * expected + 0.001).contains(pause))
    }

    @Test(
        "A server's wish is granted up to half a minute, and no nonsense is",
        arguments: [(7, 7...7), (30, 30...30), (31, 30...30), (1e300, 30...30), (.infinity, 30...30)]
            + [0, -5, -.infinity, .nan, 0.001].map { ($0, 0.149...0.251) } as [(Double, ClosedRange<Double>)])
    func wished(wish: Double, range: ClosedRange<Double>) {
        #expect(range.contains(TransferClient.pause(after: 1, backOff: 0.2, wish: wish)))
    }
}
