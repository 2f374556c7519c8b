import Cameo
import Glibc

/// Measures libraries: how fast a scan is beside exiftool's, and how a library grows to a million assets.
///
///     LibraryBenchmark [scan [FILES]] [growth]
@main
enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "open", arguments.count == 4, let count = Int(arguments[3]) {
            return await Growth.measure(root: FilePath(arguments[1]), catalog: FilePath(arguments[2]), count: count)
        }
        let isAll = arguments.isEmpty
        var isGood = true
        if isAll || arguments.contains("scan") {
            isGood = await ScanRate(files: arguments.compactMap { Int($0) }.first ?? 20_000).run() && isGood
        }
        if isAll || arguments.contains("growth") { isGood = Growth.run() && isGood }
        exit(isGood ? 0 : 1)
    }
}
