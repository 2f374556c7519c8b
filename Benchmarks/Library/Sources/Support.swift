import Cameo
import Glibc

/// Seconds on a clock that only goes forward.
func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A number of kibibytes from `/proc/self/status`, in bytes.
func memory(_ field: String) -> Int {
    let text = String(decoding: contents("/proc/self/status"), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix(field + ":") {
        return (Int(line.filter { $0.isNumber }) ?? 0) * 1024
    }
    return 0
}

/// The bytes of a file; none where it cannot be read.
func contents(_ path: FilePath) -> [UInt8] {
    let file = path.withCString { open($0, O_RDONLY) }
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let got = read(file, &buffer, buffer.count)
        guard got > 0 else { return bytes }
        bytes += buffer[..<got]
    }
}

/// Writes a file whole.
func write(_ bytes: [UInt8], to path: FilePath) {
    let file = path.withCString { creat($0, 0o644) }
    guard file >= 0 else { return }
    defer { close(file) }
    var position = 0
    while position < bytes.count {
        let put = bytes.withUnsafeBytes {
            Glibc.write(file, $0.baseAddress.unsafelyUnwrapped + position, $0.count - position)
        }
        guard put > 0 else { return }
        position += put
    }
}

/// Runs a program and waits for it; its exit status.
func run(_ program: String, _ arguments: [String], quiet: Bool = false) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if quiet { posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
    var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, program, &actions, nil, &argv, environ) == 0 else { return -1 }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
}

/// Makes an empty folder, after whatever was there.
func emptyFolder(_ path: FilePath) {
    _ = run("rm", ["-rf", "--", path.description])
    _ = run("mkdir", ["-p", "--", path.description])
}

/// Where the benchmark keeps its files: `$CAMEO_BENCHMARK_DIR`, or a folder in the temporary one.
var workFolder: FilePath {
    if let value = getenv("CAMEO_BENCHMARK_DIR") { return FilePath(String(cString: value)) }
    return "/tmp/cameo-library-benchmark"
}

/// `value` with so many decimals.
func rounded(_ value: Double, _ decimals: Int = 1) -> String {
    let scale = pow(10, Double(decimals))
    let number = (value * scale).rounded() / scale
    return decimals == 0 ? "\(Int(number))" : "\(number)"
}

/// Prints a line at once, whoever reads it.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
}
