import CGlibc
import Glibc

/// The other side: a process that does nothing but open and decode what it is sent.
///
/// A program that uses process isolation calls `runIfAsked` as the first thing it does; the pipeline starts the
/// program once more for each worker.
public enum IsolatedWorker {
    /// Becomes a worker, and never returns, where this process was started to be one.
    ///
    /// - Parameter faces: What finds faces there.
    public static func runIfAsked(faces: (any FaceDetecting)? = nil) {
        guard CommandLine.arguments.dropFirst().first == WorkerProcess.word else { return }
        serve(faces)
    }

    private static func serve(_ detector: (any FaceDetecting)?) -> Never {
        // Threads of Dispatch, one of which started this process, have signals blocked.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        // A Ctrl-C at the terminal reaches the whole group: the host decides what becomes of its workers.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
        // A crash is the host's to report; the runtime's own report would start a process.
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE] { signal(number, SIG_DFL) }
        cglibc_limit_arenas(1)
        _ = cglibc_close_from(UInt32(WorkerProcess.pagePlace) + 1)
        let channel = WorkerChannel(socket: WorkerProcess.socketPlace)
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, WorkerProcess.pagePlace, 0)
        guard let page, page != MAP_FAILED else { exit(1) }
        close(WorkerProcess.pagePlace)
        let watch = RenderWatch(in: page)
        rehearse()
        #if CAMEO_SANITIZES
            SanitizedReports.open()
        #endif
        guard channel.send(WorkerReply.ready(missing: Sandbox.enter())) else { exit(1) }
        var desk = WorkerDesk(channel: channel, watch: watch, detector: detector)
        while desk.answerNext() {}
        exit(0)
    }

    /// Does once what decoders do the first time: loading, asking the machine what it is, starting threads. In the
    /// sandbox none of it is possible any more.
    private static func rehearse() {
        guard Vips.isStarted else { exit(1) }
        Vips.release(Set(ImageFormat.allCases))
        let pixels = PixelBuffer(size: PixelSize(square: 16), filledWith: .white)
        for format in [Encoding.Format.jpeg, .png, .webp] {
            guard let bytes = try? pixels.encoded(Encoding(format)).bytes,
                let opened = try? OpenedImage(.bytes(bytes, name: "rehearsal"))
            else { continue }
            _ = try? Renderer().render(opened, [.thumbnail(PixelSize(square: 8))], hashes: true)
        }
    }
}
