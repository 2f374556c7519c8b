import Cameo

extension PickerSession {
    /// What is picked; nil where nothing can be.
    func selectionMessage(refusal: PickingError? = nil) -> Message.Selection? {
        guard let picker else { return nil }
        let version = version
        let ids = picker.selection.ids
        let assets = ids.map { library.asset(for: $0) }
        return Message.Selection(
            version: version.number, ids: ids.map(\.value), versions: assets.map { $0?.version ?? "" },
            isVideo: assets.map { $0?.kind == .video ? 1 : 0 },
            edited: ids.filter { picker.isCropped($0) }.map(\.value), vanished: version.vanished,
            cannotFinish: picker.finishRefusal.map(Message.Refusal.init), refusal: refusal.map(Message.Refusal.init))
    }

    /// Carries out what a page asks, and tells the others. The answer says why not all of it was done.
    func perform(_ order: Order.Pick) -> Message.Selection? {
        guard let picker else { return nil }
        var ids = (order.ids ?? []).map { Asset.ID($0) }
        if let handle = order.list {
            guard let list = lists.list(handle), let from = order.from, let to = order.to else { return nil }
            let last = list.count - 1
            guard (0...max(0, last)).contains(from), (0...max(0, last)).contains(to), last >= 0 else { return nil }
            // From where the range was begun, so that a limit cuts off its far end.
            let places = from <= to ? Array(from...to) : (to...from).reversed()
            ids += places.map { list.id(at: $0) }
        }
        // A single choice moves: whoever points at another does not want to drop the first one beforehand.
        if order.action != .drop, configuration.picker?.limit == 1, ids.count == 1,
            picker.selection.ids != ids, library.asset(for: ids[0]) != nil
        {
            picker.selection.ids.forEach { picker.drop($0) }
        }
        var refusal: PickingError?
        for id in ids {
            do throws(PickingError) {
                switch order.action {
                case .drop: picker.drop(id)
                case .toggle: try picker.toggle(id)
                case .pick: try picker.pick(id)
                }
            } catch {
                // Of a range, what is picked already is no reason to complain.
                if case .alreadyPicked = error { continue }
                refusal = error
                if case .limitReached = error { break }
            }
        }
        selectionChanged()
        return selectionMessage(refusal: refusal)
    }

    func perform(_ order: Order.Section) -> Message.Selection? {
        guard let picker, let list = lists.list(order.list), list.sections.indices.contains(order.section) else {
            return nil
        }
        let group = SessionLibrary.group(order.list, section: order.section)
        var refusal: PickingError?
        if order.action == .drop || order.action == .toggle && picker.share(of: group) == .all {
            picker.dropAll(in: group)
        } else {
            picker.pickAll(in: group)
            if picker.share(of: group) != .all, let limit = configuration.picker?.limit, limit > 0 {
                refusal = .limitReached(limit: limit)
            }
        }
        selectionChanged()
        return selectionMessage(refusal: refusal)
    }

    func perform(_ order: Order.Move) -> Message.Selection? {
        guard let picker else { return nil }
        var refusal: PickingError?
        do throws(PickingError) { try picker.move(from: order.from, to: order.to) } catch { refusal = error }
        selectionChanged()
        return selectionMessage(refusal: refusal)
    }

    // MARK: Cropping

    /// The crop step of an asset as it was left, or as it begins.
    func cropMessage(_ id: Asset.ID, viewport: LayoutSize) throws(PickingError) -> Message.Crop? {
        guard let picker else { return nil }
        let session = try picker.cropSession(for: id, viewport: viewport, mask: mask)
        return Message.Crop(session, isKept: picker.isCropped(id))
    }

    /// Keeps a crop as the page shows it, brought to where the picture covers the mask.
    func perform(_ order: Order.Crop) throws(PickingError) -> Message.Crop? {
        guard let picker, order.viewport.count == 2, order.centre.count == 2 else { return nil }
        let id = Asset.ID(order.id)
        let viewport = LayoutSize(width: order.viewport[0], height: order.viewport[1])
        guard order.isKept else {
            picker.setCrop(nil, for: id)
            selectionChanged()
            return try cropMessage(id, viewport: viewport)
        }
        // What was seen, and cut, must be what is there.
        if let asset = library.asset(for: id), asset.version != order.version { throw .changed(id) }
        var session = try picker.cropSession(for: id, viewport: viewport, mask: mask)
        session.show(
            centre: LayoutPoint(x: order.centre[0], y: order.centre[1]), zoom: order.zoom,
            quarterTurns: order.quarterTurns, isMirrored: false)
        picker.setCrop(session, for: id)
        selectionChanged()
        return Message.Crop(session, isKept: true)
    }

    private var mask: CropSession.Mask { configuration.mask == .circle ? .circle : .square }
}

extension Message.Crop {
    init(_ session: CropSession, isKept: Bool) {
        self.init(
            picture: [session.picture.width, session.picture.height],
            centre: [session.shownCentre.x, session.shownCentre.y], zoom: session.zoom,
            quarterTurns: session.quarterTurns,
            crop: [session.crop.x, session.crop.y, session.crop.width, session.crop.height], isKept: isKept)
    }
}
