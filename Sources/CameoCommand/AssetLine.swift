import Cameo

/// What `list --json` prints for each asset; `pick --json` prints the same.
struct AssetLine: Encodable {
    var id: String
    var path: String
    var pathBytes: String?
    var kind: String
    var subtypes: [String]
    var upright: [Int]?
    var date: String
    var dateSource: String
    var place: [Double]?
    var bytes: Int
    /// What a crop step keeps, in upright pixels, and how it turns that; `pick` alone.
    var crop: [Int]?
    var quarterTurns: Int?
    /// The profile pictures; `pick` alone.
    var outputs: [ResultLine.Output]?
    var error: ResultLine.Failure?

    /// The line of an asset that people know by `path`.
    init(_ asset: Asset, path: FilePath) {
        id = asset.id.value
        self.path = path.description
        pathBytes = path.lossyBytes
        kind = asset.kind.rawValue
        subtypes = asset.subtypes.words
        upright = asset.uprightSize.map { [$0.width, $0.height] }
        date = asset.date.description
        dateSource = asset.dateSource.rawValue
        place = asset.place.map { [$0.latitude, $0.longitude] }
        bytes = asset.bytes
    }

    private enum CodingKeys: String, CodingKey {
        case id, path, pathBytes, kind, subtypes, upright, date, dateSource, place, bytes, crop, quarterTurns, outputs
        case error
    }

    /// A place or size that is not known is null, not left out.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(path, forKey: .path)
        try container.encodeIfPresent(pathBytes, forKey: .pathBytes)
        try container.encode(kind, forKey: .kind)
        try container.encode(subtypes, forKey: .subtypes)
        try container.encode(upright, forKey: .upright)
        try container.encode(date, forKey: .date)
        try container.encode(dateSource, forKey: .dateSource)
        try container.encode(place, forKey: .place)
        try container.encode(bytes, forKey: .bytes)
        try container.encodeIfPresent(crop, forKey: .crop)
        try container.encodeIfPresent(quarterTurns, forKey: .quarterTurns)
        try container.encodeIfPresent(outputs, forKey: .outputs)
        try container.encodeIfPresent(error, forKey: .error)
    }
}

extension Asset.Subtypes {
    /// The words for what is in it.
    var words: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}
