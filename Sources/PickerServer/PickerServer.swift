import Cameo
import Dispatch
import Synchronization

/// A photo picker in the browser: an HTTP server on this machine alone, and the page that it serves.
///
/// `@unchecked Sendable`: the timer is never changed, and only cancelled at the end.
public final class PickerServer: @unchecked Sendable {
    /// The outline of the profile pictures that are cropped in the picker.
    public enum Mask: String, Sendable {
        case square, circle
    }

    /// What a server offers.
    public struct Configuration: Sendable {
        /// The rules of picking; nil for a library that is only looked at.
        public var picker: PickerConfiguration?
        /// Whether, and by what outline, picks are cropped.
        public var mask: Mask?
        /// The one type of asset that is offered; nil for all. The picker's filter says the same.
        public var type: TypeFilter?
        /// What stands in the window's title.
        public var title = ""
        /// The port; 0 for any that is free.
        public var port: UInt16 = 0
        /// What is accepted when picked pictures are rendered.
        public var options = RenderOptions()

        /// What one client can take away from the others.
        var limits = HTTPServer.Limits()

        /// A library that is only looked at.
        public init() {}
    }

    let session: PickerSession
    let pictures: PictureRoute
    let rule: AccessRule
    private let page: PageFiles
    private let relay: Relay
    let server: HTTPServer
    private let following: Task<Void, Never>
    private let heart: any DispatchSourceTimer

    /// What the HTTP server answers by; set once, when everything is there.
    private final class Relay: Sendable {
        let router = Mutex<Router?>(nil)
    }

    /// Listens, and begins to load the library.
    ///
    /// - Throws: `PickerServerError`.
    public init(
        _ library: AssetLibrary, pipeline: ImagePipeline, _ configuration: Configuration = Configuration()
    ) throws(PickerServerError) {
        let session = PickerSession(library, configuration)
        self.session = session
        pictures = PictureRoute(library: library, pipeline: pipeline)
        page = PageFiles()
        let (token, cookie) = (try Secret(), try Secret())
        let relay = Relay()
        self.relay = relay
        server = try HTTPServer(
            port: configuration.port, limits: configuration.limits,
            atOnce: { request in
                guard let router = relay.router.withLock({ $0 }) else { return .text(503, "not yet") }
                return router.answerAtOnce(request)
            },
            handler: { request in
                guard let router = relay.router.withLock({ $0 }) else { return .text(503, "not yet") }
                return await router.answer(request)
            })
        rule = AccessRule(token: token, session: cookie, cookieName: "cameo-\(server.port)")
        following = Task { await session.follow() }
        heart = DispatchSource.makeTimerSource(queue: .global())
        heart.schedule(deadline: .now() + 15, repeating: 15)
        heart.setEventHandler { session.beat() }
        heart.resume()
        let router = Router(session, pictures, page, rule)
        relay.router.withLock { $0 = router }
    }

    deinit { stop() }

    /// What to open: admits whoever has it, once or again, as long as the server runs.
    public var address: String { "http://127.0.0.1:\(server.port)/?token=\(rule.token.text)" }

    /// The port that it listens on.
    public var port: Int { Int(server.port) }

    /// The picker behind the page; nil where nothing can be picked.
    public var picker: Picker? { session.picker }

    /// Tells the pages how the picker ended, gives them a moment to hear it, and stops. Blocks.
    public func finish() {
        session.announceEnd()
        // The answer to the page that finished is on its way; its stream of events is all that then stays.
        for _ in 0..<20 where server.activity > 0 { DispatchSemaphore(value: 0).pause(milliseconds: 25) }
        stop()
    }

    /// Stops: what is being answered is called off, and the port is free when this returns.
    public func stop() {
        heart.cancel()
        following.cancel()
        server.stop()
    }
}

extension DispatchSemaphore {
    fileprivate func pause(milliseconds: Int) { _ = wait(timeout: .now() + .milliseconds(milliseconds)) }
}
