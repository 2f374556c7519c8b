/// What the page asks for, as JSON.
enum Order {
    enum Action: String, Decodable {
        case pick, drop, toggle
    }

    /// Picks or drops assets: by identifier, or from one place of a list to another, both included.
    struct Pick: Decodable {
        let action: Action
        var ids: [String]?
        var list: Int?
        var from: Int?
        var to: Int?
    }

    /// Picks or drops all of a moment; a toggle picks it unless all of it is picked.
    struct Section: Decodable {
        let action: Action
        let list: Int
        let section: Int
    }

    /// Moves a pick in the order.
    struct Move: Decodable {
        let from: Int
        let to: Int
    }

    /// Keeps what a crop step shows, or forgets it.
    struct Crop: Decodable {
        let id: String
        /// That of the asset which the step shows.
        var version: String?
        let viewport: [Double]
        let centre: [Double]
        let zoom: Double
        let quarterTurns: Int
        let isKept: Bool
    }
}
