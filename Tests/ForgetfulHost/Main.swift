import Cameo
import Glibc

/// A program that has its pictures decoded in other processes, and does not call `IsolatedWorker.runIfAsked`: started as
/// a worker, it does its own work. It notes each start in the folder that it is started in, and says what became of the
/// `photo.jpg` there. By the name of `faceless` it does call it, and forgets to say what finds faces.
///
///     ForgetfulHost
@main
enum Main {
    static func main() {
        if name == "faceless" { IsolatedWorker.runIfAsked() }
        let notes = open("starts", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        _ = write(notes, "started\n", 8)
        // One that starts another, and so on, is to be ended by nobody else.
        if lseek(notes, 0, SEEK_END) > 5 * 8 { exit(0) }
        var configuration = ImagePipeline.Configuration()
        configuration.isolation = .auto
        let pipeline = ImagePipeline(configuration)
        let path = FilePath("photo.jpg")
        pipeline.submit(
            BatchRequest(.file(path), [.thumbnail(PixelSize(square: 32))]) { outcome in
                switch outcome {
                case .success: print("a picture")
                case .failure(let error): print(error)
                }
            })
        pipeline.waitUntilIdle()
    }

    /// What the file is called that it was started from.
    private static var name: String {
        let file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC)
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(file, &bytes, bytes.count)
        close(file)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
    }
}
