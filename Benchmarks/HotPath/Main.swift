import CHotPath
import Cameo
import Dispatch
import Glibc

/// What a picker's hot path costs: see README.md.
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--photos", arguments.count == 2, let folder = arguments.last {
            do {
                try await RealPhotos(folder: FilePath(folder)).run()
            } catch {
                print("\(error)")
                exit(3)
            }
            return
        }
        guard arguments.allSatisfy({ ["--million", "--check"].contains($0) }) else {
            print("Usage: HotPath [--million] [--check]\n       HotPath --photos DIR")
            exit(2)
        }
        do {
            var path = try HotPath()
            defer { path.remove() }
            let missed = try path.run(isLarge: arguments.contains("--million"))
            missed.forEach { print("missed: \($0)") }
            if arguments.contains("--check"), !missed.isEmpty {
                path.remove()
                exit(1)
            }
        } catch {
            print("\(error)")
            exit(3)
        }
    }
}
