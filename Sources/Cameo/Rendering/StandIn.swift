/// What may stand in for a picture.
enum StandIn: String, Codable, Sendable {
    /// What the camera put into the file.
    case embeddedPreview
    /// A JPEG's 1/8 picture.
    case eighth
}
