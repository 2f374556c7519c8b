import Glibc

@testable import Cameo

/// A folder of made-up photos that is gone when the test is over, and a catalog beside it.
final class TestLibrary {
    let root: FilePath
    let catalog: FilePath

    init() {
        var template = Array("/tmp/cameo-assets-XXXXXX".utf8CString)
        let made = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
        root = FilePath(made).appending("photos")
        catalog = FilePath(made).appending("catalog")
        makeFolder("")
    }

    deinit {
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] =
            ["rm", "-rf", "--", root.parent.description].map { (word: String) in strdup(word) } + [nil]
        if posix_spawnp(&process, "rm", nil, nil, &arguments, environ) == 0 { waitpid(process, nil, 0) }
        arguments.forEach { free($0) }
    }

    func path(_ name: String) -> FilePath { name.isEmpty ? root : root.appending(name) }

    func makeFolder(_ name: String) { _ = path(name).withCString { mkdir($0, 0o755) } }

    /// Writes a file, in place if it is there. Its time is long ago unless `settles` is false, so that a scan need not
    /// read it twice.
    func write(_ name: String, _ bytes: [UInt8], settles: Bool = true, modified: Int = 1_600_000_000) {
        write(path(name), bytes)
        if settles { touch(name, modified) }
    }

    func write(_ path: FilePath, _ bytes: [UInt8]) {
        let file = path.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        precondition(file >= 0, "\(path)")
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    func touch(_ name: String, _ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = path(name).withCString { utimensat(AT_FDCWD, $0, times, 0) }
    }

    func move(_ name: String, to other: String) {
        let status = path(name).withCString { from in path(other).withCString { rename(from, $0) } }
        precondition(status == 0)
    }

    func remove(_ name: String) { _ = path(name).withCString { unlink($0) } }

    func open() throws -> AssetLibrary { try AssetLibrary(folders: [root], catalog: .folder(catalog)) }

    /// The library as a new process finds it.
    @discardableResult
    func scan() async throws -> LibrarySnapshot { try await open().scan() }
}

extension LibrarySnapshot {
    /// Names of the assets by date.
    var names: [String] { recents.map { $0.path.lastComponent.description } }

    func asset(named name: String) -> Asset? { recents.first { $0.path.lastComponent.description == name } }
}
