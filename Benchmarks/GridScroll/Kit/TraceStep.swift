/// One thing that a finger does.
package enum TraceStep: Hashable, Sendable {
    /// A finger that moves the content by so many points (down the content where positive) in so many seconds.
    package struct Drag: Codable, Hashable, Sendable {
        /// Points.
        package var points: Double
        /// Seconds.
        package var seconds: Double
    }

    /// A finger that lets go while it moves.
    package struct Flick: Codable, Hashable, Sendable {
        /// Points a second when it lets go.
        package var velocity: Double
        /// Seconds until the next thing happens; nil for as long as the content moves.
        package var seconds: Double?
    }

    /// Nothing, for so many seconds.
    case rest(Double)
    /// See `Drag`.
    case drag(Drag)
    /// See `Flick`.
    case flick(Flick)
    /// A jump of the scrubber to this share of the way from the top to the end.
    case jump(Double)
    /// A pinch that ends with so many columns; what is in the middle stays there.
    case columns(Int)
    /// A finger as it was recorded: pairs of seconds and points, each since the beginning of the step.
    case samples([[Double]])
}

extension TraceStep: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case rest, drag, flick, jump, columns, samples
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a step has one of \(CodingKeys.allCases.map(\.rawValue))"))
        }
        switch key {
        case .rest: self = .rest(try container.decode(Double.self, forKey: key))
        case .drag: self = .drag(try container.decode(Drag.self, forKey: key))
        case .flick: self = .flick(try container.decode(Flick.self, forKey: key))
        case .jump: self = .jump(try container.decode(Double.self, forKey: key))
        case .columns: self = .columns(try container.decode(Int.self, forKey: key))
        case .samples: self = .samples(try container.decode([[Double]].self, forKey: key))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .rest(let seconds): try container.encode(seconds, forKey: .rest)
        case .drag(let drag): try container.encode(drag, forKey: .drag)
        case .flick(let flick): try container.encode(flick, forKey: .flick)
        case .jump(let share): try container.encode(share, forKey: .jump)
        case .columns(let count): try container.encode(count, forKey: .columns)
        case .samples(let samples): try container.encode(samples, forKey: .samples)
        }
    }
}
