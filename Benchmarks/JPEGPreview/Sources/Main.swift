import Glibc

/// Times JPEGPreview beside libjpeg, compares the two, and throws damaged files at it: see README.md.
@main
struct Main {
    static func main() {
        var names = Array(CommandLine.arguments.dropFirst())
        func take(_ option: String) -> Bool {
            guard let index = names.firstIndex(of: option) else { return false }
            names.remove(at: index)
            return true
        }
        func number(_ option: String, _ fallback: Int) -> Int {
            guard let index = names.firstIndex(of: option), index + 1 < names.count, let value = Int(names[index + 1])
            else { return fallback }
            names.removeSubrange(index...index + 1)
            return value
        }
        let (rounds, count, seed) = (number("--rounds", 5), number("--count", 1_000_000), number("--seed", 1))
        let isChecked = take("--check")
        let isSound: Bool
        if take("--mutate") {
            isSound = Mutations.run(count: count, seed: UInt64(clamping: seed))
        } else if take("--sizes") {
            isSound = Sizes.run()
        } else if names.isEmpty || names.contains("--help") {
            print(usage)
            return
        } else {
            isSound = Timing.run(names, rounds: rounds, isChecked: isChecked)
        }
        exit(isSound ? 0 : 1)
    }

    private static let usage = """
        JPEGPreviewBenchmark [--rounds N] [--check] FILE...   times, beside libjpeg at 1/8 and 1/4
        JPEGPreviewBenchmark --sizes                          every size to 70 × 70 against libjpeg's coefficients
        JPEGPreviewBenchmark --mutate [--count N] [--seed N]  damaged files: neither trap, nor hang, nor difference
        """
}
