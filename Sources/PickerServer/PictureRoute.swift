import Cameo
import FoundationEssentials

/// Pictures of assets: square thumbnails for the grid, whole pictures for the detail view.
struct PictureRoute: Sendable {
    let library: AssetLibrary
    let pipeline: ImagePipeline

    /// Pixels a side of what can be asked for. A few sizes, so that the store holds few of each asset.
    static let thumbnailSizes: Set<Int> = [96, 128, 192, 256, 384, 512, 768]
    static let pictureSizes: Set<Int> = [1024, 1600, 2560]

    /// How long a stand-in's work goes on without anybody waiting, for the page to ask for the picture itself.
    private static let linger = Duration.seconds(2)

    /// The rendition that `kind` and `size` in an address stand for.
    static func rendition(_ kind: Substring, _ size: Substring) -> Rendition? {
        guard let side = Int(size), String(side) == size else { return nil }
        switch kind {
        case "thumbnails" where thumbnailSizes.contains(side):
            return Rendition(size: PixelSize(square: side), mode: .fill)
        case "pictures" where pictureSizes.contains(side):
            return .thumbnail(PixelSize(square: side))
        default: return nil
        }
    }

    /// `/thumbnails/ID/SIZE` and `/pictures/ID/SIZE`.
    ///
    /// With the content's version in the query the answer holds for ever, once the file is old enough for its version to
    /// tell. A stand-in, which says so in a header and is never kept, may come to whoever asks with `quick`.
    func answer(_ parts: [Substring], to request: HTTPRequest) async -> HTTPResponse? {
        guard parts.count == 3, let rendition = Self.rendition(parts[0], parts[2]),
            let asset = library.asset(for: Asset.ID(String(parts[1])))
        else { return nil }
        let version = asset.version
        var caching = [("Cache-Control", "private, no-cache")]
        // The next content of a file that was just written may have the same version, so nothing is said by it.
        if !asset.stamp.isRacy {
            let tag = "\"\(version)-\(parts[0].first.map(String.init) ?? "")\(parts[2])\""
            let isCurrent = request.query["v"] == version
            caching = [
                ("ETag", tag),
                ("Cache-Control", isCurrent ? "private, max-age=31536000, immutable" : "private, no-cache"),
            ]
            if let known = request.header("if-none-match"), known.contains(tag) {
                return HTTPResponse(304, headers: caching)
            }
        }
        let isQuick = request.query["quick"] != nil
        let priority: Priority = parts[0] == "pictures" ? .immediate : .visible
        let task = pipeline.start(
            ImageRequest(asset, rendition, priority: priority, delivery: isQuick ? .opportunistic : .final))
        return await withTaskCancellationHandler {
            await answer(task, caching: caching, isQuick: isQuick)
        } onCancel: {
            task.cancel()
        }
    }

    private func answer(
        _ task: ImageTask, caching: [(String, String)], isQuick: Bool
    ) async -> HTTPResponse {
        for await event in task.events {
            switch event {
            case .degraded(let image):
                guard isQuick else { continue }
                // The page asks for the picture at once; until it has, the work must not be dropped.
                Task {
                    try? await Task.sleep(for: Self.linger)
                    task.cancel()
                }
                return Self.response(image, [("Cache-Control", "no-store"), ("Cameo-Degraded", "1")])
            case .finished(let image): return Self.response(image, caching)
            case .failed(.render(let error)): return .json(Message.Failure(error), status: 422)
            case .failed(.cancelled): return .text(499, "called off")
            case .cancelled: return .text(499, "called off")
            }
        }
        return .text(499, "called off")
    }

    private static func response(_ image: PipelineImage, _ headers: [(name: String, value: String)]) -> HTTPResponse {
        do throws(RenderError) {
            let (format, bytes) = try image.encoded()
            return HTTPResponse(200, type: "image/\(format.rawValue)", bytes, headers: headers)
        } catch {
            return .json(Message.Failure(error), status: 500)
        }
    }
}
