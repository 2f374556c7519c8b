// A name and an optional picture: a placeholder until one is picked, a circle at 100 points, then at 200 points on the
// next screen, and what a registration stores.

import Cameo
import FaceDetection
import SampleSupport

/// What a registration stores: the original by its path, what was cut out of it, and the finished pictures.
struct Registration: Encodable {
    struct Picture: Encodable {
        let path: String
        let points: Int
        let scale: Int
    }

    let name: String
    let original: String?
    let crop: PixelRect?
    let edit: Edit?
    let pictures: [Picture]
}

/// The person who registers, and the screens that they go through.
@MainActor struct Profile {
    let session: Session
    var name = ""
    var picked: PickedAsset?
    var pictures: [Registration.Picture] = []

    /// Draws the picture, or what stands for it, as a circle of `points` for each kind of display.
    mutating func show(points: Int) async throws {
        for scale in 1...3 {
            let rendition = Rendition.profilePicture(points * scale)
            let image =
                if let picked {
                    try await picked.editedImage(rendition).image
                } else {
                    try Placeholder(name: name).render(rendition)
                }
            let (format, bytes) = try image.encoded()
            let kind = picked == nil ? "placeholder" : "profile"
            let suffix = scale == 1 ? "" : "@\(scale)x"
            let file = "\(kind)-\(points)\(suffix).\(format.fileExtension)"
            try session.write(bytes, as: file)
            if picked != nil { pictures.append(.init(path: file, points: points, scale: scale)) }
        }
    }

    func register() throws {
        try session.writeJSON(
            Registration(
                name: name, original: picked?.asset.path.description, crop: picked?.crop, edit: picked?.edit,
                pictures: pictures), as: "registration.json")
    }
}

/// Picking one photo and moving it behind a circle.
@MainActor final class Editing {
    let picker: Picker
    private let asset: Asset
    private var crop: CropSession

    init(_ asset: Asset, library: any AssetProviding) throws {
        // Whoever crops nothing gets their face cropped.
        picker = Picker(
            PickerConfiguration(filter: .images), library: library, faces: FaceSearch(FrontalFaceDetector()))
        try picker.pick(asset.id)
        self.asset = asset
        crop = try picker.cropSession(
            for: asset.id, viewport: LayoutSize(width: 320, height: 480), mask: .circle)
    }

    /// A gesture, with its numbers; false if there is no such gesture.
    func perform(_ gesture: String, _ numbers: [Double]) -> Bool {
        switch (gesture, numbers.count) {
        case ("zoom", 1): crop.zoom(to: numbers[0])
        case ("zoom", 3): crop.zoom(to: numbers[0], at: LayoutPoint(x: numbers[1], y: numbers[2]))
        case ("pan", 2): crop.pan(x: numbers[0], y: numbers[1])
        case ("turn", 0): crop.turn()
        case ("mirror", 0): crop.mirror()
        case ("reset", 0): crop.reset()
        default: return false
        }
        print("  \(asset.name): \(crop.crop), \(crop.canReset ? "edited" : "as it was")")
        return true
    }

    func use() throws -> PickedAsset? {
        picker.setCrop(crop, for: asset.id)
        return try picker.finish().assets.first
    }
}

@main struct ProfilePicture {
    @MainActor static func main() async {
        let session = await Session(
            usage: """
                name TEXT, show, choose NAME, zoom Z [X Y], pan X Y, turn, mirror, reset, use, cancel, next, register, quit
                """)
        var profile = Profile(session: session)
        var editing: Editing?

        while let (command, rest) = session.next() {
            do {
                switch command {
                case "name": profile.name = rest
                case "show":
                    profile.pictures = []
                    try await profile.show(points: 100)
                case "choose":
                    guard let asset = session.asset(named: rest) else { print("  no such photo"); break }
                    editing = try Editing(asset, library: session.library)
                case "use":
                    guard let picked = try editing?.use() else { print("  nothing is chosen"); break }
                    profile.picked = picked
                    profile.pictures = []
                    editing = nil
                    try await profile.show(points: 100)
                case "cancel":
                    editing?.picker.cancel()
                    editing = nil
                case "next": try await profile.show(points: 200)
                case "register": try profile.register()
                default:
                    let numbers = rest.split(separator: " ").compactMap { Double($0) }
                    if editing?.perform(command, numbers) != true { print("  what is \(command)?") }
                }
            } catch {
                print("  \(error)")
            }
        }
    }
}
