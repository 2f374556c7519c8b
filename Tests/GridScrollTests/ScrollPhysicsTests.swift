import Foundation
import Testing

@testable import GridScrollKit

struct ScrollPhysicsTests {
    @Test("The closed form goes where a step of a millisecond at a time goes", arguments: [500.0, 5000, -20_000])
    func steps(velocity: Double) {
        var (position, speed) = (0.0, velocity)
        for millisecond in 1...3000 {
            // The mean of the speed over the millisecond is what a smooth slowing down goes.
            position += speed * (1 - 0.998) / -log(0.998) / 1000
            speed *= 0.998
            if millisecond % 500 == 0 {
                let seconds = Double(millisecond) / 1000
                #expect(
                    abs(ScrollPhysics.distance(velocity: velocity, seconds: seconds) - position) < 1e-6 * abs(velocity))
                #expect(abs(ScrollPhysics.velocity(velocity, after: seconds) - speed) < 1e-6 * abs(velocity))
            }
        }
    }

    @Test("A flick stands still when it is slower than ten points a second")
    func rest() {
        let seconds = ScrollPhysics.secondsToRest(velocity: 5000)
        #expect(abs(ScrollPhysics.velocity(5000, after: seconds) - 10) < 1e-6)
        #expect(ScrollPhysics.secondsToRest(velocity: 3) == 0)
    }
}
