import Glibc
import Testing

@testable import Cameo

/// What a worker may take for a picture.
struct WorkerAllowanceTests {
    @Test("A file as long as a file can be ends as it does in this process", arguments: [true, false])
    func endless(isPicture: Bool) throws {
        // A file system that lets a file be so long; most do not.
        let path = "/dev/shm/cameo-endless-\(getpid())-\(isPicture).jpg"
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        guard file >= 0 else { return }
        defer {
            close(file)
            unlink(path)
        }
        if isPicture {
            let bytes = try Worker.jpeg()
            try #require(write(file, bytes, bytes.count) == bytes.count)
        }
        guard ftruncate(file, .max) == 0 else { return }
        let source = ImageSource.file(FilePath(path))
        let there = Worker.error { () throws(RenderError) in _ = try Worker.pool().open(source, for: []) }
        let here = Worker.error { () throws(RenderError) in
            _ = try LocalOpening(renderer: Renderer()).open(source, for: [])
        }
        #expect(there == here && there?.kind == (isPicture ? "tooLarge" : "notAnImage"))
    }

    @Test("Numbers beyond all memory are no trap")
    func saturated() {
        #expect(WorkerPool.memory(for: .max, .max) > 1 << 60)
        #expect(WorkerPool.memory(for: 1000, 24) == 256 << 20 + 2024)
    }

    @Test("A picture that was opened for nothing in particular may be made as large as it is, and then again")
    func large() throws {
        let size = PixelSize(square: 9000)
        let grey = PixelBuffer(size: size, channels: 3, bytes: Array(repeating: 128, count: size.area * 3))
        let folder = try TemporaryFolder()
        let file = try folder.write(grey.encoded(Encoding(.jpeg)).bytes, to: "large.jpg")
        let pool = Worker.pool()
        let opened = try pool.open(.file(file), for: [])
        let whole = try opened.render([.thumbnail(size)], watch: RenderWatch(), hashes: false)
        #expect(whole.images.map(\.pixels.size) == [size])
        #expect(opened.cost(of: [.thumbnail(size)]) > opened.cost + size.area * 4)
        opened.close()
        let again = try pool.open(.file(file), for: []).render(
            [.thumbnail(PixelSize(square: 32))], watch: RenderWatch(), hashes: false)
        #expect(again.images.count == 1)
    }

    @Test("Any time, or no number, is a limit that a worker can be told", arguments: [Double.infinity, .nan, -1])
    func seconds(limit: Double) throws {
        let opened = try Worker.pool(seconds: limit).open(.bytes(Worker.jpeg(), name: "a.jpg"), for: [])
        let made = try opened.render([.thumbnail(PixelSize(square: 8))], watch: RenderWatch(), hashes: false)
        #expect(made.images.count == 1)
    }
}
