import Cameo
import Glibc

/// Puts entries into a store, trims it now and then, and looks at what is there, for the seconds it is given or until
/// it is killed. Says so on standard output when it begins. Exit status 1 where it met a wrong picture or any trouble.
///
///     StoreFiller FOLDER FIRST COUNT LIMIT SECONDS
@main
enum Main {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
        guard numbers.count == 4 else { exit(2) }
        var options = ThumbnailStore.Options()
        options.limit = numbers[2]
        options.onTrouble = { trouble in
            print(trouble)
            exit(1)
        }
        let store = ThumbnailStore(folder: FilePath(CommandLine.arguments[1]), options: options)
        // Whoever kills this waits until there is something to kill.
        _ = write(STDOUT_FILENO, "filling\n", 8)
        let end = time(nil) + numbers[3]
        var round = 0
        while time(nil) < end {
            for number in numbers[0]..<numbers[0] + numbers[1] {
                store.insert(expected(number), for: key(number))
                if let found = store.thumbnail(for: key(number / 2)), found != expected(number / 2) { exit(1) }
            }
            round += 1
            if round % 3 == 0 {
                do { try store.trim(to: numbers[2] / 2) } catch {
                    print(error)
                    exit(1)
                }
            }
            store.flush()
        }
    }

    private static func key(_ number: Int) -> RenditionKey {
        RenditionKey(.asset(Asset.ID("n\(number)")), stamp: nil, rendition: .thumbnail(PixelSize(square: 64)))
    }

    /// Bytes that follow from the number, so that another's are noticed.
    private static func expected(_ number: Int) -> StoredThumbnail {
        let bytes = Array("\(number)".utf8) + [UInt8](repeating: UInt8(number % 251), count: 1000 + number % 7 * 1500)
        return StoredThumbnail(format: .jpeg, bytes: bytes, crop: PixelRect(PixelSize(square: number)))
    }
}
