import Foundation
import Testing

@testable import Cameo

struct WorkerChannelTests {
    /// How many of this process's descriptors are of the file at `path`.
    private static func descriptors(of path: FilePath) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path.description
        }
    }

    @Test("Of files that come beside a message, one is taken and none stays", arguments: [1, 2, 5])
    func files(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1], to: "file")
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        let (mine, its) = try WorkerChannel.pair()
        defer { for file in [file, mine.socket, its.socket] { close(file) } }
        var writer = ByteWriter()
        WorkerReply.nothing.write(to: &writer)
        var bytes = writer.bytes
        // A cmsghdr: its length, SOL_SOCKET, SCM_RIGHTS; then the files.
        var control = [UInt64(16 + 4 * count), 1 << 32 | UInt64(SOL_SOCKET)]
        let numbers = [Int32](repeating: file, count: count + count % 2)
        numbers.withUnsafeBytes { control += Array($0.bindMemory(to: UInt64.self)) }
        let sent = bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, 16 + 4 * count)
                    return sendmsg(its.socket, &message, 0)
                }
            }
        }
        #expect(sent == writer.bytes.count)
        let got = try #require(mine.receive(WorkerReply.self))
        #expect(try got.file >= 0 && Self.descriptors(of: path) == 2)
        close(got.file)
        #expect(try Self.descriptors(of: path) == 1)
    }

    @Test("What is too long for a message lies in memory, where only a worker looks for it", arguments: [true, false])
    func long(trusts: Bool) throws {
        let renditions = (1...2000).map { Rendition.thumbnail(PixelSize(width: $0, height: 7)) }
        let settings = WorkerSettings(options: RenderOptions(), renditions: renditions)
        let (mine, its) = try WorkerChannel.pair()
        defer { for file in [mine.socket, its.socket] { close(file) } }
        #expect(WorkerRequest.settings(settings).bytes.count > WorkerChannel.messageLimit)
        #expect(mine.send(WorkerRequest.settings(settings)) && mine.send(WorkerRequest.digest))
        let got = its.receive(WorkerRequest.self, trusts: trusts)
        if case .settings(let told)? = got?.message {
            #expect(trusts && told == settings)
        } else {
            #expect(!trusts && got == nil)
        }
        #expect(got?.file ?? -1 == -1)
        // What comes after it is not lost.
        guard case .digest? = its.receive(WorkerRequest.self)?.message else {
            Issue.record("no second message")
            return
        }
    }
}
