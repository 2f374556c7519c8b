import Cameo
import FoundationEssentials

/// Which request is answered by what. Whoever may not ask is told nothing but that.
struct Router: Sendable {
    private let session: PickerSession
    private let pictures: PictureRoute
    private let page: PageFiles
    private let rule: AccessRule

    init(_ session: PickerSession, _ pictures: PictureRoute, _ page: PageFiles, _ rule: AccessRule) {
        self.session = session
        self.pictures = pictures
        self.page = page
        self.rule = rule
    }

    /// The answer to what needs no work: a refusal, or one of the page's own files. Nil for everything else.
    func answerAtOnce(_ request: HTTPRequest) -> HTTPResponse? {
        switch rule.verdict(on: request) {
        case .refused: Self.guarded(.text(403, "Open the address that cameo printed."))
        case .allowed: pageFile(request).map(Self.guarded)
        case .admitted: pageFile(request).map { Self.guarded($0.with("Set-Cookie", rule.cookie)) }
        }
    }

    /// The answer to any request.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        if let response = answerAtOnce(request) { return response }
        return Self.guarded(await route(request) ?? .text(404, "there is no such thing"))
    }

    private func pageFile(_ request: HTTPRequest) -> HTTPResponse? {
        let parts = request.components
        guard parts.count == 1, request.method == "GET" || request.method == "HEAD" else { return nil }
        return page.answer(parts[0].isEmpty ? "index.html" : String(parts[0]), to: request)
    }

    /// What a browser is told with every answer: load nothing from elsewhere, run no script but the page's own files,
    /// show it in no frame, tell nobody the address, take no answer for another type than it says.
    private static func guarded(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers += [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
        return response
    }

    private func route(_ request: HTTPRequest) async -> HTTPResponse? {
        let parts = request.components
        switch (request.method, parts.first ?? "") {
        case ("GET", "thumbnails"), ("GET", "pictures"), ("HEAD", "thumbnails"), ("HEAD", "pictures"):
            return await pictures.answer(parts.map(\.self), to: request)
        case ("GET", "api"), ("HEAD", "api"): return await ask(parts.dropFirst().map(\.self), request)
        case ("POST", "api"): return order(parts.dropFirst().map(\.self), request)
        case ("GET", _), ("HEAD", _): return nil
        default: return .text(405, "not by this method")
        }
    }

    private func ask(_ parts: [Substring], _ request: HTTPRequest) async -> HTTPResponse? {
        switch parts.first {
        case "session" where parts.count == 1: return .json(session.sessionMessage())
        case "selection" where parts.count == 1: return session.selectionMessage().map { .json($0) }
        case "albums" where parts.count == 1: return .json(session.albumsMessage())
        case "events" where parts.count == 1:
            return request.method == "GET" ? .events(session.events()) : .text(405, "not by this method")
        case "list" where parts.count == 1:
            await session.firstNews()
            let kept = (request.query["keep"] ?? "").split(separator: ",").prefix(100).map { Asset.ID(String($0)) }
            let detail = request.query["detail"].map { (Asset.ID($0), request.query["was"].flatMap { Int($0) }) }
            return session.listMessage(
                album: request.query["album"], type: request.query["type"].flatMap { TypeFilter(rawValue: $0) },
                kept: kept, detail: detail
            ).map { .json($0) }
        case "assets" where parts.count == 1:
            guard let list = request.query["list"].flatMap({ Int($0) }).flatMap({ session.lists.list($0) }) else {
                return .text(410, "the list is out of date")
            }
            let from = request.query["from"].flatMap { Int($0) } ?? 0
            return .json(session.assetsMessage(of: list, from: from, count: PickerSession.chunk))
        case "thumbnails" where parts.count == 1:
            guard let list = request.query["list"].flatMap({ Int($0) }).flatMap({ session.lists.list($0) }) else {
                return .text(410, "the list is out of date")
            }
            guard let order = PictureRoute.PackOrder(request.query, list) else {
                return .text(400, "not what is expected")
            }
            return await pictures.pack(order)
        case "crop" where parts.count == 2:
            let sides = (request.query["viewport"] ?? "").split(separator: ",").compactMap { Double($0) }
            guard sides.count == 2 else { return .text(400, "a crop needs a viewport") }
            return crop { () throws(PickingError) in
                try session.cropMessage(
                    Asset.ID(String(parts[1])), viewport: LayoutSize(width: sides[0], height: sides[1]))
            }
        default: return nil
        }
    }

    private func order(_ parts: [Substring], _ request: HTTPRequest) -> HTTPResponse? {
        guard parts.count == 1, let picker = session.picker else { return nil }
        func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
            try? JSONDecoder().decode(type, from: Data(request.body))
        }
        func selection<Value: Decodable>(
            _ type: Value.Type, _ perform: (Value) -> Message.Selection?
        ) -> HTTPResponse {
            guard let order = decoded(type) else { return .text(400, "not what is expected") }
            return perform(order).map { .json($0) } ?? .text(410, "the list is out of date")
        }
        switch parts[0] {
        case "pick": return selection(Order.Pick.self) { session.perform($0) }
        case "section": return selection(Order.Section.self) { session.perform($0) }
        case "move": return selection(Order.Move.self) { session.perform($0) }
        case "crop":
            guard let order = decoded(Order.Crop.self) else { return .text(400, "not what is expected") }
            return crop { () throws(PickingError) in try session.perform(order) }
        case "finish":
            do throws(PickingError) {
                try picker.finish()
                return .json(session.sessionMessage())
            } catch {
                return .json(Message.Refusal(error), status: 409)
            }
        case "cancel":
            picker.cancel()
            return .json(session.sessionMessage())
        default: return nil
        }
    }

    private func crop(_ make: () throws(PickingError) -> Message.Crop?) -> HTTPResponse? {
        do throws(PickingError) {
            return try make().map { .json($0) }
        } catch {
            return .json(Message.Refusal(error), status: 409)
        }
    }
}
