import JPEGPreview
import JPEGReference

/// One core, the decoders in turns on each photo: the median of the ratios within a turn.
enum Timing {
    static func run(_ paths: [String], rounds: Int, isChecked: Bool) -> Bool {
        var (ours, single, eighth, quarter): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var (ratios, quarterRatios, singleRatios): ([Double], [Double], [Double]) = ([], [], [])
        var (isProgressive, failures, meetings) = (false, 0, [Meeting]())
        for round in 0..<rounds {
            var sums = (0.0, 0.0, 0.0, 0.0)
            for path in paths {
                let bytes = contents(path)
                bytes.withUnsafeBytes { buffer in
                    func timed(_ work: () -> Bool) -> Double {
                        let start = milliseconds()
                        let isDone = work()
                        if !isDone {
                            failures += 1
                            if round == 0 { print("\(path): no picture") }
                        }
                        return milliseconds() - start
                    }
                    let a = timed {
                        guard let decoder = try? DCDecoder(buffer) else { return false }
                        if round == 0 { meetings += decoder.meetings }
                        if decoder.position < buffer.count / 2 { isProgressive = true }
                        return !EighthPicture(decoder).bytes.isEmpty
                    }
                    let d = timed {
                        (try? DCDecoder(buffer, splitSize: .max)).map { !EighthPicture($0).bytes.isEmpty } == true
                    }
                    let b = timed { Reference.decode(buffer, denominator: 8) != nil }
                    let c = timed { Reference.decode(buffer, denominator: 4) != nil }
                    sums = (sums.0 + a, sums.1 + b, sums.2 + c, sums.3 + d)
                    singleRatios.append(d / b)
                    ratios.append(a / b)
                    quarterRatios.append(a / c)
                }
            }
            ours.append(sums.0 / Double(paths.count))
            eighth.append(sums.1 / Double(paths.count))
            quarter.append(sums.2 / Double(paths.count))
            single.append(sums.3 / Double(paths.count))
        }
        print("JPEGPreview     \(rounded(median(ours))) ms a photo")
        print("one stream      \(rounded(median(single))) ms, ratio \(rounded(median(singleRatios)))")
        print("libjpeg at 1/8  \(rounded(median(eighth))) ms, ratio \(rounded(median(ratios)))")
        print("libjpeg at 1/4  \(rounded(median(quarter))) ms, ratio \(rounded(median(quarterRatios)))")
        if !meetings.isEmpty {
            let after = meetings.map { Double($0.after) }
            print(
                "two streams met in \(meetings.count) of \(paths.count) photos, after \(rounded(median(after), 0)) units"
                    + " (at most \(rounded(after.max() ?? 0, 0)))")
        }
        guard isChecked else { return true }
        let bar = isProgressive ? 0.08 : 0.55
        let passes = median(ratios) <= bar
        print("\(passes ? "pass" : "FAIL"): at most \(bar) of libjpeg's time at 1/8")
        if failures > 0 { print("FAIL: \(failures) decodes gave no picture") }
        return passes && failures == 0
    }
}
