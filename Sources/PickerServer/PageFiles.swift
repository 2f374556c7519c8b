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
            ("albums.js", PackageResources.albums_js),
            ("api.js", PackageResources.api_js),
            ("broken.svg", PackageResources.broken_svg),
            ("chevron.svg", PackageResources.chevron_svg),
            ("crop.js", PackageResources.crop_js),
            ("cropper.js", PackageResources.cropper_js),
            ("dates.js", PackageResources.dates_js),
            ("describing.js", PackageResources.describing_js),
            ("detail.js", PackageResources.detail_js),
            ("dom.js", PackageResources.dom_js),
            ("empty.svg", PackageResources.empty_svg),
            ("film.svg", PackageResources.film_svg),
            ("gestures.js", PackageResources.gestures_js),
            ("grid.js", PackageResources.grid_js),
            ("headings.js", PackageResources.headings_js),
            ("icon.svg", PackageResources.icon_svg),
            ("index.html", PackageResources.index_html),
            ("kind-animated.svg", PackageResources.kind_animated_svg),
            ("kind-live.svg", PackageResources.kind_live_svg),
            ("kind-panorama.svg", PackageResources.kind_panorama_svg),
            ("kind-raw.svg", PackageResources.kind_raw_svg),
            ("kind-screenshot.svg", PackageResources.kind_screenshot_svg),
            ("kind-video.svg", PackageResources.kind_video_svg),
            ("layout.js", PackageResources.layout_js),
            ("library.js", PackageResources.library_js),
            ("main.js", PackageResources.main_js),
            ("scrubber.js", PackageResources.scrubber_js),
            ("selection.js", PackageResources.selection_js),
            ("strings.js", PackageResources.strings_js),
            ("style.css", PackageResources.style_css),
            ("thumbhash.js", PackageResources.thumbhash_js),
            ("thumbnails.js", PackageResources.thumbnails_js),
            ("tray.js", PackageResources.tray_js),
            ("words.js", PackageResources.words_js),
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
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    private static func tag(_ bytes: [UInt8]) -> String { "\"\(Digest.sha256(bytes).prefix(16))\"" }
}
