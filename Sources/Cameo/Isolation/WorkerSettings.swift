/// What a worker is to make, and how. It is told once, and again where it changes: one batch asks the same of every
/// picture, and the texts of these are most of what there is to send.
struct WorkerSettings: Codable, Equatable {
    var options = RenderOptions()
    var renditions: [Rendition] = []
}
