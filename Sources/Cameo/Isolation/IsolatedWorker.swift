import CGlibc
import Glibc

/// The other side: processes that do nothing but open and decode what they are sent.
///
/// A program that uses process isolation calls `runIfAsked` as the first thing it does. The pipeline starts the program
/// once more, as a process that loads everything and then makes copies of itself, the workers.
public enum IsolatedWorker {
    /// Becomes what workers are made from, and never returns, where this process was started to be that.
    ///
    /// - Parameter faces: What finds faces there. Where faces are searched for, it has to be of the same version as the
    ///   detector of that search.
    public static func runIfAsked(faces: (any FaceDetecting)? = nil) {
        guard isAsked else { return }
        makeWorkers(faces)
    }

    /// Whether this process was started to be what workers are made from.
    static var isAsked: Bool { CommandLine.arguments.dropFirst().first == WorkerNursery.word }

    private static func makeWorkers(_ detector: (any FaceDetecting)?) -> Never {
        // Threads of Dispatch, one of which started this process, have signals blocked.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        // A Ctrl-C at the terminal reaches the whole group: the host decides what becomes of its workers.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
        // A crash is the host's to report; the runtime's own report would start a process.
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE] { signal(number, SIG_DFL) }
        cglibc_limit_arenas(1)
        cglibc_close_from(WorkerNursery.socketPlace + 1)
        // Started, libvips has no threads until something is computed: this process can be copied.
        guard Vips.isStarted else { exit(1) }
        Vips.release(Set(ImageFormat.allCases))
        ImageFormat.allCases.forEach(Vips.require)
        let host = WorkerChannel(socket: WorkerNursery.socketPlace)
        guard host.send(WorkerBirth.ready) else { exit(1) }
        while let (message, socket) = host.receive(WorkerBirth.self), socket >= 0 {
            if case .wanted(searchesFaces: true) = message { detector?.prepare() }
            let process = cglibc_fork_for_parent()
            if process == 0 {
                close(host.socket)
                serve(WorkerChannel(socket: socket), detector)
            }
            close(socket)
            guard host.send(WorkerBirth.born(Int(process))) else { break }
        }
        exit(0)
    }

    private static func serve(_ channel: WorkerChannel, _ detector: (any FaceDetecting)?) -> Never {
        guard case (.begin, let memory)? = channel.receive(WorkerRequest.self), memory >= 0,
            let page = mmap(nil, WorkerProcess.pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0),
            page != MAP_FAILED
        else { exit(1) }
        close(memory)
        rehearse()
        #if CAMEO_SANITIZES
            SanitizedReports.open()
        #endif
        let missing = Misbehaviour.goesWithoutSandbox ? ["there is none in this test"] : Sandbox.enter()
        guard channel.send(WorkerReply.ready(missing: missing, detector: detector?.version)) else { exit(1) }
        var desk = WorkerDesk(channel: channel, watch: RenderWatch(in: page), detector: detector)
        while desk.answerNext() {}
        exit(0)
    }

    /// Does once what decoders do the first time: loading, asking the machine what it is, starting threads. In the
    /// sandbox none of it is possible any more.
    private static func rehearse() {
        let pixels = PixelBuffer(size: PixelSize(square: 16), filledWith: .white)
        for format in [Encoding.Format.jpeg, .png, .webp] {
            guard let bytes = try? pixels.encoded(Encoding(format)).bytes,
                let opened = try? OpenedImage(.bytes(bytes, name: "rehearsal"))
            else { continue }
            _ = try? Renderer().render(opened, [.thumbnail(PixelSize(square: 8))], hashes: true)
        }
    }
}
