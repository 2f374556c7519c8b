import Testing

/// What the other tests rely on.
struct CommandRunTests {
    @Test("Input and output may both be longer than a pipe holds", .timeLimit(.minutes(5)))
    func pipes() throws {
        let place = try Workplace()
        let lines = Array(repeating: String(repeating: "x", count: 100), count: 3000)
        let run = try CommandRun(["worker", "-o", place.output.path], input: lines.joined(separator: "\n"))
        #expect(run.status == 0 && run.lines.count == 3000 && run.output.count > 1 << 17)
    }

    @Test("What is set elsewhere for other commands reaches none that is tested")
    func environment() {
        let set = [
            "AWS_REGION": "x", "https_proxy": "x", "NO_PROXY": "x", "POSIXLY_CORRECT": "", "HOME": "h", "PATH": "p",
        ]
        #expect(CommandRun.quiet(set) == ["HOME": "h", "PATH": "p"])
    }
}
