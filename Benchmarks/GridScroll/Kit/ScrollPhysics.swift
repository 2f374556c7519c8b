import Foundation

/// How content goes on when a finger lets go: as iOS has it at its normal rate, the velocity falls by the factor 0.998
/// each millisecond (`UIScrollView.DecelerationRate.normal`). In closed form, so that a frame that is missed changes
/// nothing about the next.
package enum ScrollPhysics {
    /// The factor a millisecond.
    package static let deceleration = 0.998
    /// Points a second under which content stands still.
    package static let stillness = 10.0

    /// Points gone `seconds` after a finger let go at `velocity` points a second.
    package static func distance(velocity: Double, seconds: Double) -> Double {
        let rate = log(deceleration) * 1000
        return velocity * (exp(rate * seconds) - 1) / rate
    }

    /// Points a second at that moment.
    package static func velocity(_ velocity: Double, after seconds: Double) -> Double {
        velocity * exp(log(deceleration) * 1000 * seconds)
    }

    /// Seconds until content that began at `velocity` stands still.
    package static func secondsToRest(velocity: Double) -> Double {
        max(0, log(stillness / max(abs(velocity), stillness)) / (log(deceleration) * 1000))
    }
}
