import Glibc

/// What a decoder does that somebody else has taken over, acted out in tests: the sandbox and the host are to stop it.
///
/// It is done where the tests have asked for it and the source's name says how. There is none of this in a release build.
enum Misbehaviour {
    /// Misbehaves while the source is opened.
    static func act(on name: String) throws(RenderError) {
        #if DEBUG
            guard isAsked else { return }
            let ways: [(String, () throws(RenderError) -> Void)] = [
                ("-crash.jpg", crash), ("-spin.jpg", spin), ("-eat.jpg", { eat() }),
                ("-exit.jpg", { exit(0) }), ("-escape.jpg", { escape(name, 0..<attempts) }), ("-keep.jpg", keep),
                ("-blame.jpg", { () throws(RenderError) in throw .environment(reason: "the disk is full") }),
                ("-leave.jpg", { () throws(RenderError) in throw .cancelled(source: name) }),
            ]
            try ways.first { name.hasSuffix($0.0) }?.1()
            if let one = (0..<attempts).first(where: { name.hasSuffix("-escape\($0).jpg") }) {
                escape(name, one..<one + 1)
            }
        #endif
    }

    /// Misbehaves when something is asked of the source that is open.
    static func act(lateOn name: String) throws(RenderError) {
        #if DEBUG
            guard isAsked else { return }
            let ways = [
                ("-crash-late.jpg", crash), ("-spin-late.jpg", spin), ("-eat-late.jpg", { eat() }), ("-slow.jpg", doze),
            ]
            ways.first { name.hasSuffix($0.0) }?.1()
        #endif
    }

    /// What is answered in place of `reply` by one that lies.
    static func changed(_ reply: WorkerReply, on name: String) -> WorkerReply {
        #if DEBUG
            guard isAsked, case .images(var images, let warnings, let hash, let faces) = reply, let first = images.first
            else { return reply }
            if name.hasSuffix("-miscount.jpg") { images.removeLast() }
            if name.hasSuffix("-oversize.jpg") {
                let size = PixelSize(width: first.size.width * 2, height: first.size.height)
                images[0] = WorkerReply.Image(
                    size: size, channels: first.channels, crop: first.crop, focus: first.focus)
            }
            if name.hasSuffix("-outside.jpg") {
                let crop = PixelRect(x: first.crop.x + 1, y: 0, width: first.crop.width, height: first.crop.height)
                images[0] = WorkerReply.Image(size: first.size, channels: first.channels, crop: crop, focus: .centre)
            }
            return .images(images, warnings: warnings, hash: hash, faces: faces)
        #else
            return reply
        #endif
    }

    /// Goes on when everything has been answered.
    static func act(afterAnswering request: WorkerRequest, on name: String, _ channel: WorkerChannel) {
        #if DEBUG
            guard isAsked else { return }
            switch request {
            case .open where name.hasSuffix("-linger.jpg"): eat(1 << 30)
            case .render where name.hasSuffix("-chatty.jpg"): _ = channel.send(WorkerReply.nothing)
            default: break
            }
        #endif
    }

    /// Goes on when its picture was let go of: takes memory, and says nothing any more.
    static func act(afterReleaseOf name: String) {
        #if DEBUG
            guard isAsked, name.hasSuffix("-hoard.jpg") else { return }
            eat(1 << 30)
            spin()
        #endif
    }

    /// Whether this worker is to go without its sandbox, so that tests see what it keeps from happening, and what is said
    /// of it: those that are started under this name, or where it is what the tests have asked for.
    static var goesWithoutSandbox: Bool {
        #if DEBUG
            guard isAsked else { return false }
            if let asked = getenv("CAMEO_REHEARSAL"), String(cString: asked) == nameWithoutSandbox { return true }
            let file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            return FileWindow.read(file, at: 0, 16) == Array("\(nameWithoutSandbox)\n".utf8)
        #else
            return false
        #endif
    }

    #if DEBUG
        static let nameWithoutSandbox = "unboxed"
        /// What `keep` keeps.
        static let keptBytes = 120 << 20

        private static var isAsked: Bool { getenv("CAMEO_REHEARSAL") != nil }

        private static func crash() { raise(SIGSEGV) }

        private static func spin() {
            while true {}
        }

        /// Every answer takes three tenths of a second.
        private static func doze() { usleep(300_000) }

        private static func keep() { eat(keptBytes) }

        private static func eat(_ most: Int = .max) {
            let (block, count) = (16 << 20, most == .max ? Int.max : most / (16 << 20))
            // Kept, or a compiler might see that nobody needs it.
            var held: [UnsafeMutableRawPointer] = []
            while held.count < count, let place = malloc(block) {
                memset(place, 7, block)
                held.append(place)
            }
            withExtendedLifetime(held) {}
        }
    #endif
}
