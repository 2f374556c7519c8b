import Cameo
import Transfer

/// What `worker` is asked beside what `thumbnails` and `avatar` are.
struct WorkerOptions {
    /// How outputs are named.
    enum Naming {
        /// By the line's `output`, or by the path of its input.
        case line
        /// By the stamp of the input's content and by what is asked for.
        case content
    }

    var naming = Naming.line
    /// Lines that are read before the first of them has its answer; 0 for eight a thread.
    var ahead = 0
    /// How inputs and outputs that are reached by the network are reached.
    var transfer = TransferOptions()
    /// Seconds between two signs of life; 0 for none.
    var heartbeat = 0.0

    static let files: [BatchOptions.Option] = [
        BatchOptions.Option(
            "output", letter: "o", value: "DIR|URL",
            "Write below DIR, which is made if need be, or below an address: http(s)://HOST/PATH, by PUT, or "
                + "s3://BUCKET/PREFIX. Required."
        ) { $0.output = $1.path },
        BatchOptions.Option(
            "name", value: "HOW",
            "line: outputs are called what the line says in \"output\", or by the path of its input. content: by the "
                + "stamp of the input's content and by what is asked for, so that any worker can see what is done. (line)"
        ) { settings, value throws(UsageError) in
            settings.worker.naming = try value.choice(["line": .line, "content": .content])
        },
        BatchOptions.Option("force", letter: "f", "Make again what is current.") { settings, _ in
            settings.isForced = true
        },
    ]

    static let work = own + transfer

    private static let own: [BatchOptions.Option] = [
        BatchOptions.Option("workers", letter: "w", value: "N", "Render on N threads. (1)") {
            settings, value throws(UsageError) in
            settings.workers = try value.integer(1...256)
        },
        BatchOptions.Option("ahead", value: "N", "Read N lines ahead of the answers. (8 a thread)") {
            settings, value throws(UsageError) in
            settings.worker.ahead = try value.integer(1...4096)
        },
        BatchOptions.Option("heartbeat", value: "SECONDS", "Say on standard error, so often, how far the work is.") {
            settings, value throws(UsageError) in
            settings.worker.heartbeat = try value.number(0.1...86_400)
        },
    ]

    private static let transfer: [BatchOptions.Option] = TransferOptions.commandOptions.map { option in
        option.lifted { settings, apply throws(UsageError) in try apply(&settings.worker.transfer) }
    }
}
