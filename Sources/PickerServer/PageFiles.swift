import Cameo

/// The page's own files, which are part of the executable.
struct PageFiles: Sendable {
    private struct File: Sendable {
        let type: String
        let tag: String
        let bytes: [UInt8]
    }

    private let files: [String: File]

    init() {
        let page: [(name: String, bytes: [UInt8])] = [
            ("index.html", PackageResources.index_html), ("style.css", PackageResources.style_css),
            ("main.js", PackageResources.main_js),
        ]
        files = Dictionary(
            page.map { ($0.name, File(type: Self.type(of: $0.name), tag: Self.tag($0.bytes), bytes: $0.bytes)) }
        ) { first, _ in first }
    }

    /// The file called `name`, or that the client has it already; nil where there is none.
    func answer(_ name: String, to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[name] else { return nil }
        let headers = [("ETag", file.tag), ("Cache-Control", "no-cache")]
        if request.header("if-none-match") == file.tag { return HTTPResponse(304, headers: headers) }
        return HTTPResponse(200, type: file.type, file.bytes, headers: headers)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        default: "application/octet-stream"
        }
    }

    private static func tag(_ bytes: [UInt8]) -> String { "\"\(Digest.sha256(bytes).prefix(16))\"" }
}
