import Cameo
import Dispatch
import FoundationEssentials

extension PictureRoute {
    /// Thumbnails that a pack may hold: more than a page has cells.
    static let packLimit = 200

    /// Which assets a pack is of.
    struct PackOrder: Sendable {
        let list: GridList
        let places: Range<Int>
        let size: Int

        /// What a query asks for; nil where that cannot be.
        init?(_ query: [String: String], _ list: GridList) {
            guard let from = query["from"].flatMap({ Int($0) }), let count = query["count"].flatMap({ Int($0) }),
                let size = query["size"].flatMap({ Int($0) }), PictureRoute.thumbnailSizes.contains(size),
                (0...list.count).contains(from), (0...PictureRoute.packLimit).contains(count)
            else { return nil }
            self.list = list
            self.size = size
            places = from..<min(list.count, from + count)
        }
    }

    /// Thumbnails with their places in the list, as addresses that hold the very bytes: making an address for bytes of
    /// its own takes a page longer than decoding them.
    private struct Pack: Encodable {
        var places: [Int] = []
        var pictures: [String] = []
    }

    /// The thumbnails of a screen that are at hand, in one answer. What is not at hand is left out; the page asks for it
    /// by itself.
    func pack(_ order: PackOrder) async -> HTTPResponse {
        await withCheckedContinuation { continuation in
            // The store is read, which tasks must not wait for.
            DispatchQueue.global().async { continuation.resume(returning: packed(order)) }
        }
    }

    private func packed(_ order: PackOrder) -> HTTPResponse {
        let rendition = Rendition(size: PixelSize(square: order.size), mode: .fill)
        var pack = Pack()
        for place in order.places {
            let asset = order.list.asset(at: place)
            guard asset.kind == .image, let file = pipeline.fileAtHand(for: ImageRequest(asset, rendition)) else {
                continue
            }
            pack.places.append(place)
            pack.pictures.append("data:image/\(file.format.rawValue);base64,\(Data(file.bytes).base64EncodedString())")
        }
        return .json(pack)
    }
}
