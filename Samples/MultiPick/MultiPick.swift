// Many photos picked from albums or from moments, with a detail view that zooms back to its cell and a grid that
// keeps its place on rotation.

import Cameo
import SampleSupport

/// The screens: a list of lists, the grid of one of them, and perhaps a detail view over the grid.
@MainActor struct Screens {
    let session: Session
    let picker: Picker
    var source = PickerConfiguration.Source.albums
    var open: AssetGroup?
    var state = LoadingState<[Asset]>.loading
    var detail: DetailPosition?
    var viewport = LayoutSize(width: 320, height: 240)
    var offset = 0.0

    var assets: [Asset] { state.list ?? [] }

    func layout() throws(PickingError) -> GridLayout {
        try GridLayout(
            .init(width: viewport.width, columns: .minimumCell(75), spacing: 2, scale: 2), count: assets.count)
    }

    func showLists() {
        let groups = session.library.groups(of: source)
        for (number, group) in groups.enumerated() {
            let share = [.all: " ●", .some: " ◐"][picker.share(of: group.id)] ?? ""
            print("  \(number + 1) \(group.title) (\(picker.assets(in: group.id).count))\(share)")
        }
    }

    mutating func open(_ number: String) throws(PickingError) {
        let groups = session.library.groups(of: source)
        guard let place = Int(number), groups.indices.contains(place - 1) else { return print("  no such list") }
        open = groups[place - 1]
        detail = nil
        let assets = picker.assets(in: groups[place - 1].id)
        state = assets.isEmpty ? .empty : .data(assets)
        offset = try layout().initialOffset(.ascending, viewportHeight: viewport.height)
        try showGrid()
    }

    /// The rows in view, each cell by its number, with the place in the order where it is picked.
    func showGrid() throws(PickingError) {
        guard let open else { return showLists() }
        let layout = try layout()
        print("  \(open.title), \(layout.columns) columns, at \(Int(offset)) of \(Int(layout.contentHeight))")
        let seen = LayoutRect(x: 0, y: offset, width: viewport.width, height: viewport.height)
        for index in layout.indexes(in: seen) {
            let badge = picker.position(of: assets[index].id).map { "\($0 + 1)" } ?? " "
            print("  [\(badge)] \(index + 1) \(assets[index].name)")
        }
    }

    /// Back to the grid, which is scrolled first so that the cell to zoom into is there.
    mutating func back() throws(PickingError) {
        guard let index = detail?.index, let size = assets[index].uprightSize else { return }
        let layout = try layout()
        offset = layout.offset(revealing: index, from: offset, viewportHeight: viewport.height)
        detail = nil
        let way = layout.zoomTransition(of: index, picture: size, offset: offset, viewport: viewport)
        if let way { print("  zooms from \(way.pictureInDetail.text) to \(way.cell.text)") }
        try showGrid()
    }

    /// The grid turns with the device, and what was in the middle stays there.
    mutating func rotate() throws(PickingError) {
        let anchor = try layout().anchor(at: offset, viewportHeight: viewport.height)
        viewport = LayoutSize(width: viewport.height, height: viewport.width)
        offset = try layout().offset(keeping: anchor, viewportHeight: viewport.height)
        try showGrid()
    }

    mutating func leaf(_ distance: Int) {
        detail?.advance(by: distance)
        if let index = detail?.index { print("  \(assets[index].name) fills the screen") }
    }

    func id(_ number: String) -> Asset.ID? {
        if number.isEmpty { return detail?.id }
        guard let place = Int(number), assets.indices.contains(place - 1) else { return nil }
        return assets[place - 1].id
    }

    func deliver(_ outcome: PickerOutcome) async throws {
        let pictures = await outcome.assets.editedImages(.thumbnail(PixelSize(square: 400)))
        for (place, (picked, picture)) in zip(outcome.assets, pictures).enumerated() {
            let (format, bytes) = try picture.get().image.encoded()
            let stem = picked.asset.path.stemAndExtension.stem
            try session.write(bytes, as: "\(place + 1) \(stem).\(format.fileExtension)")
        }
        print(outcome.isCancelled ? "  cancelled" : "  delivered \(outcome.assets.count)")
    }
}

extension LayoutRect {
    var text: String { "\(Int(width))×\(Int(height)) at \(Int(x)),\(Int(y))" }
}

@main struct MultiPick {
    @MainActor static func main() async {
        let session = await Session(
            usage: """
                albums, moments, open N, pick [N], drop [N], toggle [N], all, none, move A B, detail N, next, previous, \
                back, rotate, done, cancel, quit
                """)
        let picker = Picker(
            PickerConfiguration(limit: 6, filter: .not(.subtypes(.animated)), isOrdered: true, source: .albums),
            library: session.library)
        var screens = Screens(session: session, picker: picker)
        let result = Task { await picker.result }

        while picker.outcome == nil, let (command, rest) = session.next() {
            do {
                switch command {
                case "albums", "moments":
                    (screens.source, screens.open) = (command == "albums" ? .albums : .moments, nil)
                    screens.showLists()
                case "open": try screens.open(rest)
                case "pick", "drop", "toggle":
                    guard let id = screens.id(rest) else { print("  no such photo"); break }
                    if command == "pick" { try picker.pick(id) }
                    if command == "drop" { picker.drop(id) }
                    if command == "toggle" { try picker.toggle(id) }
                    print("  \(picker.selection.count) picked")
                case "all": print("  picked \(screens.open.map { picker.pickAll(in: $0.id).count } ?? 0) more")
                case "none": print("  dropped \(screens.open.map { picker.dropAll(in: $0.id).count } ?? 0)")
                case "move":
                    let places = rest.split(separator: " ").compactMap { Int($0) }
                    if places.count == 2 { try picker.move(from: places[0] - 1, to: places[1] - 1) }
                case "detail":
                    let ids = screens.assets.map(\.id)
                    screens.detail = screens.id(rest).flatMap { DetailPosition(showing: $0, in: ids) }
                    screens.leaf(0)
                case "next", "previous": screens.leaf(command == "next" ? 1 : -1)
                case "back": try screens.back()
                case "rotate": try screens.rotate()
                case "done": try picker.finish()
                case "cancel": picker.cancel()
                default: print("  what is \(command)?")
                }
            } catch {
                print("  \(error)")
            }
        }
        picker.cancel()
        do {
            try await screens.deliver(await result.value)
        } catch {
            print("  \(error)")
        }
    }
}
