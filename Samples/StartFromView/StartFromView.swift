// A picker started from a view deep in the hierarchy, and the original picture back in that view.
//
// The view goes one of two ways: it finds whoever is on top and has the picker presented there, and awaits the
// result; or it tells its owner, who presents the picker and hands the result back as the picker's delegate.

import Cameo
import SampleSupport

/// A node of the hierarchy.
@MainActor class View {
    let name: String
    weak var parent: View?

    init(_ name: String, in parent: View?) {
        self.name = name
        self.parent = parent
    }

    var path: String { (parent.map { $0.path + " / " } ?? "") + name }
    var screen: Screen? { self as? Screen ?? parent?.screen }
}

/// A node that fills the display and presents others over itself.
@MainActor class Screen: View {
    private(set) var presented: Screen?
    private(set) var picker: Picker?

    /// Whoever is on top of this screen.
    var top: Screen { presented?.top ?? self }

    func present(_ screen: Screen) { presented = screen }

    func present(_ picker: Picker) {
        self.picker = picker
        print("  the picker is up, over \(path)")
    }

    func dismissPicker() { picker = nil }
}

/// Who owns a photo view and presents for it.
@MainActor protocol PhotoViewOwner: AnyObject {
    func photoViewWantsPhoto(_ view: PhotoView)
}

/// The button deep in the hierarchy. It shows the photo that was picked.
@MainActor final class PhotoView: View {
    weak var owner: (any PhotoViewOwner)?
    private(set) var showing: Task<Void, Never>?
    private let session: Session

    init(in parent: View, session: Session) {
        self.session = session
        super.init("photo view", in: parent)
    }

    /// The first way: the view itself starts the picker over whoever is on top.
    func tapFindingTop() {
        guard let top = screen?.top else { return }
        let picker = Picker(PickerConfiguration(filter: .images), library: session.library)
        top.present(picker)
        showing = Task {
            await show(await picker.result)
            top.dismissPicker()
        }
    }

    /// The second way: the view tells its owner, and hears of the result from there.
    func tapTellingOwner() { owner?.photoViewWantsPhoto(self) }

    func pickerDidFinish(_ outcome: PickerOutcome) { showing = Task { await show(outcome) } }

    private func show(_ outcome: PickerOutcome) async {
        guard let picked = outcome.assets.first else { return print("  \(path) keeps what it had") }
        do {
            let bytes = try await picked.originalBytes()
            let size = picked.asset.uprightSize.map(\.description) ?? "unknown size"
            print("  \(path) shows \(picked.asset.name), \(size)")
            try session.write(bytes, as: picked.asset.name)
        } catch {
            print("  \(path): \(error)")
        }
    }
}

/// The owner of the photo view.
@MainActor final class ProfileScreen: Screen, PhotoViewOwner, PickerDelegate {
    let session: Session
    private weak var asking: PhotoView?

    init(session: Session) {
        self.session = session
        super.init("profile", in: nil)
    }

    func photoViewWantsPhoto(_ view: PhotoView) {
        asking = view
        present(Picker(PickerConfiguration(filter: .images), library: session.library, delegate: self))
    }

    nonisolated func picker(_ picker: Picker, did event: PickerEvent) {
        // The picker calls on the thread that called it, and here only the main actor does.
        MainActor.assumeIsolated {
            guard case .finished(let outcome) = event else { return }
            asking?.pickerDidFinish(outcome)
            dismissPicker()
        }
    }
}

@main struct StartFromView {
    @MainActor static func main() async {
        let session = await Session(usage: "tap top|owner, sheet, pick NAME, drop NAME, done, cancel, quit")
        let profile = ProfileScreen(session: session)
        let header = View("header", in: profile)
        let view = PhotoView(in: header, session: session)
        view.owner = profile
        var shown: [Screen] = []

        while let (command, rest) = session.next() {
            let picker = profile.top.picker ?? profile.picker
            do {
                switch command {
                case "tap" where picker != nil: print("  the picker is already up")
                case "tap": rest == "owner" ? view.tapTellingOwner() : view.tapFindingTop()
                case "sheet":
                    shown.append(Screen("sheet", in: profile.top))
                    if let sheet = shown.last { profile.top.present(sheet) }
                case "pick", "drop":
                    guard let picker, let asset = session.asset(named: rest) else { print("  no such photo"); break }
                    if command == "pick" { try picker.pick(asset.id) } else { picker.drop(asset.id) }
                    print("  \(picker.selection.count) picked")
                case "done", "cancel":
                    if command == "done" { try picker?.finish() } else { picker?.cancel() }
                    await view.showing?.value
                default: print("  what is \(command)?")
                }
            } catch {
                print("  \(error)")
            }
        }
    }
}
