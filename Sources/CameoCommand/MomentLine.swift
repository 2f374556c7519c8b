import Cameo

/// What `list --moments --json` prints for each moment.
struct MomentLine: Encodable {
    var moment: String
    var day: String
    var place: [Double]?
    var assets: [String]

    init(_ moment: Moment) {
        self.moment = moment.title
        day = moment.day.description
        place = moment.place.map { [$0.latitude, $0.longitude] }
        assets = moment.assets.indices.map { moment.assets.id(at: $0).value }
    }

    private enum CodingKeys: String, CodingKey { case moment, day, place, assets }

    /// A place that is not known is null, not left out.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(moment, forKey: .moment)
        try container.encode(day, forKey: .day)
        try container.encode(place, forKey: .place)
        try container.encode(assets, forKey: .assets)
    }
}
