/// Brings a plane of block averages to the size of the picture, row by row.
///
/// Samples stand in the middle of what they are the average of, and between two of them the value goes in a straight
/// line: the triangle filter that libjpeg calls fancy upsampling, for any ratio.
struct PlaneUpsampler {
    private let plane: DCPlane
    private let width: Int
    private let (across, maximumAcross, down, maximumDown): (Int, Int, Int, Int)
    /// Of a plane that is narrower than the picture, for each column: the sample at its left, and the weight of the
    /// one at its right, in 256ths.
    private var columns: [(left: Int32, weight: Int32)] = []
    /// A row of the plane between two rows, times 256, with its last sample once more at the end.
    private var blend: [Int32]

    init(_ plane: DCPlane, width: Int, across: Int, of maximumAcross: Int, down: Int, of maximumDown: Int) {
        self.plane = plane
        self.width = width
        (self.across, self.maximumAcross) = (across, maximumAcross)
        (self.down, self.maximumDown) = (down, maximumDown)
        blend = [Int32](repeating: 0, count: plane.columns + 1)
        guard across < maximumAcross else { return }
        columns = (0..<width).map {
            let (left, weight) = Self.place($0, across, maximumAcross, plane.columns)
            return (Int32(left), Int32(weight))
        }
    }

    /// The sample before the middle of `index`, and the weight of the one after it in 256ths; nothing lies outside.
    private static func place(_ index: Int, _ factor: Int, _ maximum: Int, _ count: Int) -> (first: Int, weight: Int) {
        let position = (2 * index + 1) * factor - maximum
        guard position > 0 else { return (0, 0) }
        let (first, rest) = position.quotientAndRemainder(dividingBy: 2 * maximum)
        return first >= count - 1 ? (count - 1, 0) : (first, rest * 256 / (2 * maximum))
    }

    /// The samples of row `y` of the picture; `out` has `width` of them.
    mutating func fill(_ out: inout [UInt8], row y: Int) {
        let (first, weight) = Self.place(y, down, maximumDown, plane.rows)
        let count = plane.columns
        // The step that no scan told is taken to be half of what it can be.
        let bias = Int32(plane.quantizer) * Int32((1 << plane.missingBits) - 1) / 2 + 4
        let quantizer = Int32(plane.quantizer)
        // Inside the plane: `first` is below `rows`, and so is the next where its weight is not zero.
        let upper = UnsafeBufferPointer(start: plane.values + first * plane.stride, count: count)
        if columns.isEmpty, weight == 0 {
            let used = min(count, width)
            out.withUnsafeMutableBufferPointer { out in
                for x in 0..<used { out[x] = Self.sample(upper[x], quantizer, bias) }
                for x in used..<max(used, width) { out[x] = used > 0 ? out[used - 1] : 128 }
            }
            return
        }
        let next = weight == 0 ? first : first + 1
        let lower = UnsafeBufferPointer(start: plane.values + next * plane.stride, count: count)
        let share = Int32(weight)
        let isDoubled = 2 * across == maximumAcross
        blend.withUnsafeMutableBufferPointer { [columns] blend in
            for x in 0..<count {
                let above = Int32(Self.sample(upper[x], quantizer, bias))
                let below = Int32(Self.sample(lower[x], quantizer, bias))
                blend[x] = above * 256 + (below - above) * share
            }
            blend[count] = blend[count - 1]
            out.withUnsafeMutableBufferPointer { out in
                if columns.isEmpty {
                    for x in 0..<width { out[x] = UInt8(truncatingIfNeeded: (blend[min(x, count - 1)] + 128) >> 8) }
                    return
                }
                if isDoubled {
                    Self.double(blend, count, into: out)
                    return
                }
                columns.withUnsafeBufferPointer { columns in
                    for x in 0..<width {
                        let (left, weight) = columns[x]
                        let (near, far) = (blend[Int(left)], blend[Int(left) + 1])
                        out[x] = UInt8(truncatingIfNeeded: (near * 256 + (far - near) * weight + 32768) >> 16)
                    }
                }
            }
        }
    }

    /// Two samples of each one, three parts of it and one of its neighbour: nearly all photos are of this kind.
    @inline(__always)
    private static func double(
        _ samples: UnsafeMutableBufferPointer<Int32>, _ count: Int, into out: UnsafeMutableBufferPointer<UInt8>
    ) {
        out[0] = UInt8(truncatingIfNeeded: (samples[0] + 128) >> 8)
        let pairs = min(count - 1, (out.count - 1) / 2)
        for x in 0..<pairs {
            let (left, right) = (samples[x], samples[x + 1])
            out[2 * x + 1] = UInt8(truncatingIfNeeded: (left &* 3 &+ right &+ 512) >> 10)
            out[2 * x + 2] = UInt8(truncatingIfNeeded: (left &+ right &* 3 &+ 512) >> 10)
        }
        for x in 2 * pairs + 1..<max(2 * pairs + 1, out.count) {
            out[x] = UInt8(truncatingIfNeeded: (samples[count - 1] + 128) >> 8)
        }
    }

    /// A block's average: an eighth of its DC coefficient above mid-grey.
    @inline(__always)
    private static func sample(_ value: Int16, _ quantizer: Int32, _ bias: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: max(0, min(255, (Int32(value) &* quantizer &+ bias) >> 3 + 128)))
    }
}
