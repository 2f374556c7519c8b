import Dispatch
import Glibc

@testable import PickerServer

/// A client that sends what it is told, byte for byte, as a browser never would.
final class Wire: @unchecked Sendable {
    let file: Int32

    struct Answer: Sendable {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// Seconds that an answer may take. The server's tasks share a few threads with the tests, and long ones keep those
    /// busy for minutes.
    private static let patience = 600

    let isConnected: Bool

    /// A connection. The smaller its `segment`s, in bytes, the less the system keeps of what nobody has read yet; it goes by
    /// them when it reckons how much that may be.
    init(port: Int, address text: String = "127.0.0.1", timeout: Int = patience, segment: Int32? = nil) {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.file = file
        if var segment {
            setsockopt(file, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        isConnected =
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            } == 0
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// This machine's addresses on all its networks.
    static var addresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { entry in
            guard let address = entry?.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else {
                return nil
            }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                return nil
            }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    deinit { close() }

    private var isClosed = false
    func close() {
        if !isClosed { Glibc.close(file) }
        isClosed = true
    }

    /// Closes the sending half alone.
    func finishSending() { shutdown(file, Int32(SHUT_WR)) }

    @discardableResult
    func send(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) > 0 }
    }

    /// Blocks a thread of Dispatch's instead of one of the few that tasks run on, the server's among them.
    static func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in DispatchQueue.global().async { done.resume(returning: body()) } }
    }

    /// What comes, until the other side closes or nothing comes any more.
    func rest() async -> (bytes: [UInt8], isClosed: Bool) { await Self.apart { self.waitForRest() } }

    /// The next byte; nil where none comes any more.
    func byte() async -> UInt8? {
        await Self.apart {
            var byte: UInt8 = 0
            return recv(self.file, &byte, 1, 0) == 1 ? byte : nil
        }
    }

    /// What comes until `text` has come.
    func read(until text: String) async -> String { await Self.apart { self.waitFor(text) } }

    private func waitForRest() -> (bytes: [UInt8], isClosed: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            if count <= 0 { return (bytes, count == 0 || errno == ECONNRESET) }
            bytes += buffer[..<count]
        }
    }

    private func waitFor(_ text: String) -> String {
        var got = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !got.contains(text) {
            let count = recv(file, &buffer, buffer.count, 0)
            if count <= 0 { return got }
            got += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return got
    }

    static func ask(
        _ port: Int, _ path: String, method: String = "GET", headers: [String] = [], host: String? = nil,
        body: String? = nil
    ) async -> Answer {
        let wire = Wire(port: port)
        var lines =
            ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        wire.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return Self.parse(await wire.rest().bytes)
    }

    private static func parse(_ bytes: [UInt8]) -> Answer {
        var answer = Answer()
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else {
            return answer
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        answer.status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        answer.headers = lines.dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
        }
        answer.body = Array(bytes[(end + 4)...])
        return answer
    }
}
