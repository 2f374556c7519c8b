import JPEGPreview
import JPEGReference

/// One core, the decoders in turns on each photo: the median of the ratios within a turn.
enum Timing {
    static func run(_ paths: [String], rounds: Int, isChecked: Bool) -> Bool {
        var (ours, eighth, quarter): ([Double], [Double], [Double]) = ([], [], [])
        var (ratios, quarterRatios): ([Double], [Double]) = ([], [])
        var isProgressive = false
        for round in 0..<rounds {
            var sums = (0.0, 0.0, 0.0)
            for path in paths {
                let bytes = contents(path)
                bytes.withUnsafeBytes { buffer in
                    func timed(_ work: () -> Bool) -> Double {
                        let start = milliseconds()
                        let isDone = work()
                        if !isDone, round == 0 { print("\(path): no picture") }
                        return milliseconds() - start
                    }
                    let a = timed {
                        guard let picture = try? EighthPicture(buffer) else { return false }
                        if picture.position < buffer.count / 2 { isProgressive = true }
                        return true
                    }
                    let b = timed { Reference.decode(buffer, denominator: 8) != nil }
                    let c = timed { Reference.decode(buffer, denominator: 4) != nil }
                    sums = (sums.0 + a, sums.1 + b, sums.2 + c)
                    ratios.append(a / b)
                    quarterRatios.append(a / c)
                }
            }
            ours.append(sums.0 / Double(paths.count))
            eighth.append(sums.1 / Double(paths.count))
            quarter.append(sums.2 / Double(paths.count))
        }
        print("JPEGPreview     \(rounded(median(ours))) ms a photo")
        print("libjpeg at 1/8  \(rounded(median(eighth))) ms, ratio \(rounded(median(ratios)))")
        print("libjpeg at 1/4  \(rounded(median(quarter))) ms, ratio \(rounded(median(quarterRatios)))")
        guard isChecked else { return true }
        let bar = isProgressive ? 0.08 : 0.55
        let passes = median(ratios) <= bar
        print("\(passes ? "pass" : "FAIL"): at most \(bar) of libjpeg's time at 1/8")
        return passes
    }
}
