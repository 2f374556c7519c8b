import Testing

@testable import Cameo

/// What a control group allows, by files laid out as Linux lays them out.
struct ControlGroupTests {
    private static func limit(_ text: String, _ files: [String: String]) throws -> Int? {
        let folder = try TemporaryFolder()
        for (name, content) in files { _ = try folder.write(Array(content.utf8), to: name) }
        return ControlGroup(text, mount: folder.path.description).memoryLimit
    }

    @Test("The process's own group counts, not what is mounted alone")
    func own() throws {
        let files = ["a/b.service/memory.max": "268435456\n", "a/memory.max": "max\n", "memory.stat": "anon 1\n"]
        #expect(try Self.limit("0::/a/b.service\n", files) == 268_435_456)
        #expect(try Self.limit("0::/a\n", files) == nil)
        #expect(try Self.limit("0::/\n", files) == nil)
    }

    @Test("The least that a group or one around it allows counts")
    func around() throws {
        let files = [
            "memory.max": "9000\n", "a/memory.max": "4000\n", "a/b/memory.max": "max\n", "a/c/memory.max": "2000\n",
        ]
        #expect(try Self.limit("0::/a/b\n", files) == 4000)
        #expect(try Self.limit("0::/a/c\n", files) == 2000)
        #expect(try Self.limit("0::/other\n", files) == 9000)
    }

    @Test("Inside a container, whose path is the host's, what is mounted counts")
    func container() throws {
        let files = ["memory.max": "5000\n"]
        #expect(try Self.limit("0::/docker/0123abcd\n", files) == 5000)
        #expect(try Self.limit("0::/../neighbour\n", files) == 5000)
        #expect(try Self.limit("", files) == 5000)
    }

    @Test("Version 1's memory controller counts where there is no limit of version 2")
    func first() throws {
        let unlimited = "9223372036854771712\n"
        let files = ["memory/memory.limit_in_bytes": unlimited, "memory/a/memory.limit_in_bytes": "3000\n"]
        #expect(try Self.limit("5:cpu,cpuacct:/x\n4:memory:/a\n0::/\n", files) == 3000)
        #expect(try Self.limit("4:memory:/\n", files) == nil)
    }

    @Test("What is no number is no limit", arguments: ["", "max", "-5", "words", "99999999999999999999999"])
    func malformed(text: String) throws {
        #expect(try Self.limit("0::/\n", ["memory.max": text]) == nil)
    }
}
