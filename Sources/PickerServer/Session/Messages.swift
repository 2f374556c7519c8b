import Cameo

/// What the page is told, as JSON.
enum Message {
    /// The rules, and how far things are.
    struct Session: Encodable {
        /// `pick`, or `browse` where nothing can be picked.
        let mode: String
        let limit: Int
        let minimum: Int
        let isOrdered: Bool
        /// `square` or `circle` where profile pictures are made.
        let mask: String?
        let title: String
        let library: Library
        let selection: Selection?
        /// `picked` or `cancelled` once it is over.
        let outcome: String?
    }

    struct Library: Encodable {
        /// Raised with each change.
        let revision: Int
        /// `loading`, `partial`, `empty`, `data` or `failed`.
        let phase: String
        /// What the system says where it failed.
        let reason: String?
        let count: Int
    }

    /// Columns of assets, from `from` on.
    struct Assets: Encodable {
        let from: Int
        var ids: [String] = []
        /// What stands behind `?v=` in the address of a picture.
        var versions: [String] = []
        var dates: [String] = []
        var isVideo: [Int] = []
        var subtypes: [Int] = []
        var widths: [Int] = []
        var heights: [Int] = []
        var names: [String] = []
        /// A ThumbHash in base64, empty where none is known.
        var hashes: [String] = []

        init(from: Int) { self.from = from }

        mutating func append(_ asset: Asset, hash: String) {
            ids.append(asset.id.value)
            versions.append(asset.version)
            dates.append(asset.date.description)
            isVideo.append(asset.kind == .video ? 1 : 0)
            subtypes.append(asset.subtypes.rawValue)
            widths.append(asset.uprightSize?.width ?? 0)
            heights.append(asset.uprightSize?.height ?? 0)
            names.append(asset.path.lastComponent.description)
            hashes.append(hash)
        }
    }

    struct List: Encodable {
        let list: Int
        let library: Library
        let album: String
        let type: String?
        let count: Int
        /// How many of them are videos.
        let videos: Int
        /// Of each moment: its day, its place if it has one, and how many assets.
        let days: [String]
        let places: [[Double]?]
        let counts: [Int]
        /// Where the assets that were asked about are now; null for one that is not in the list.
        let positions: [Int?]
        /// What a detail view shows now; null where nothing is left to show.
        let detail: String?
        let assets: Assets
    }

    struct Album: Encodable {
        let key: String
        let title: String
        let isSmart: Bool
        let count: Int
        let keyAsset: String?
        let keyVersion: String?
        /// Of a video there is no picture.
        let isKeyVideo: Bool
    }

    struct Albums: Encodable {
        let albums: [Album]
        /// How many assets there are of each type.
        let types: [String: Int]
    }

    struct Selection: Encodable {
        /// Raised with each change.
        let version: Int
        let ids: [String]
        let versions: [String]
        let isVideo: [Int]
        let edited: [String]
        /// How many picks the library has lost since the beginning.
        let vanished: Int
        /// Why the picker cannot finish now.
        let cannotFinish: Refusal?
        /// Why the last pick was refused.
        var refusal: Refusal?
    }

    struct Refusal: Encodable {
        let reason: String
        var count: Int?
        var limit: Int?
    }

    struct Crop: Encodable {
        let picture: [Int]
        let centre: [Double]
        let zoom: Double
        let quarterTurns: Int
        let crop: [Int]
        let isKept: Bool
    }

    struct Failure: Encodable {
        let error: String
        /// The word for it, which pages say in their own language.
        let kind: String

        init(_ error: RenderError) { (self.error, kind) = ("\(error)", error.kind) }
    }
}

extension Message.Refusal {
    init(_ error: PickingError) {
        switch error {
        case .alreadyPicked: self.init(reason: "alreadyPicked")
        case .limitReached(let limit): self.init(reason: "limitReached", limit: limit)
        case .notOffered: self.init(reason: "notOffered")
        case .vetoed: self.init(reason: "vetoed")
        case .finished: self.init(reason: "finished")
        case .tooMany(let count, let limit): self.init(reason: "tooMany", count: count, limit: limit)
        case .tooFew(let count, let minimum): self.init(reason: "tooFew", count: count, limit: minimum)
        case .notOrdered: self.init(reason: "notOrdered")
        case .noSuchPosition: self.init(reason: "noSuchPosition")
        case .changed: self.init(reason: "changed")
        case .invalidGeometry: self.init(reason: "invalidGeometry")
        case .render: self.init(reason: "render")
        }
    }
}

extension Asset {
    /// Tells the picture's content and the engine from others, in 16 letters and digits.
    var version: String {
        let text = "\(stamp.size).\(stamp.inode).\(stamp.modified).\(stamp.changed).\(Cameo.engineVersion)"
        return String(Digest.sha256(Array(text.utf8)).prefix(16))
    }
}
