extension Picker {
    /// How much of a list is picked.
    public enum Share: Hashable, Sendable {
        case none, some, all
    }

    /// Picks all of a list that can be picked, the earliest first, until the limit. What is refused is passed over.
    ///
    /// - Returns: What was picked, in pick order.
    /// - Complexity: O(n log n) of the list's assets, besides what the owner does.
    @discardableResult
    public func pickAll(in group: AssetGroup.ID) -> [Asset.ID] {
        var picked: [Asset.ID] = []
        for asset in earliestFirst(assets(in: group)) {
            do throws(PickingError) {
                try pick(asset.id)
                picked.append(asset.id)
            } catch {
                switch error {
                case .limitReached, .finished: return picked
                default: continue
                }
            }
        }
        return picked
    }

    /// Drops what is picked of a list, the last picks first.
    ///
    /// - Returns: What was dropped.
    @discardableResult
    public func dropAll(in group: AssetGroup.ID) -> [Asset.ID] {
        let members = Set(library.assetIDs(in: group))
        return selection.ids.reversed().filter { members.contains($0) && drop($0) }
    }

    /// How much of what a list offers is picked; none of an empty one. O(assets).
    public func share(of group: AssetGroup.ID) -> Share {
        let selection = selection
        let offered = assets(in: group)
        let count = offered.count { selection.contains($0.id) }
        return count == 0 ? .none : count == offered.count ? .all : .some
    }

    /// By the clock where they were taken; assets of one time keep the list's order.
    private func earliestFirst(_ assets: [Asset]) -> [Asset] {
        assets.enumerated().sorted { a, b in
            let (first, second) = (a.element.date.civil, b.element.date.civil)
            return first == second ? a.offset < b.offset : first < second
        }.map(\.element)
    }
}

extension CaptureDate {
    /// A number of seconds that grows with the date, and what is left over.
    fileprivate var civil: (Int, Int) {
        (((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second, nanosecond)
    }
}
