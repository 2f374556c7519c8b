extension AssetLibrary {
    /// Notes on which devices the library's folders lie, and those at which something else is mounted.
    func remember(_ listings: [FolderListing]) {
        let read = listings.compactMap { listing in listing.identity.map { (path: listing.path, device: $0.device) } }
        state.withLock { state in
            for (path, device) in read where folders.contains(path) { state.devices[path] = device }
            let own = Set(folders.compactMap { state.devices[$0] })
            for (path, device) in read where state.devices[path] != nil || !own.contains(device) {
                state.devices[path] = device
            }
        }
    }

    /// Takes over from the catalog at which folders something was mounted. Devices have other numbers after a restart, so
    /// that a folder at which nothing is now is noted as one on another device.
    func loadMounts() {
        let mounts = catalog.mounts()
        let generation = catalog.generation
        state.withLock { state in
            state.mounts = mounts
            state.mountsGeneration = generation
            for path in mounts where !Self.isMount(path) { state.devices[path] = .max }
        }
    }

    /// Has the catalog remember at which folders something is mounted, or was and is missed.
    func saveMounts(of snapshot: LibrarySnapshot) {
        let generation = catalog.generation
        let (before, isThere, looked) = state.withLock {
            ($0.mounts, $0.mountsGeneration == generation, Set($0.devices.keys))
        }
        let missed = before.intersection(snapshot.problems.map(\.path))
        let mounts = looked.filter { missed.contains($0) || Self.isMount($0) }
        guard mounts != before || !isThere, catalog.save(mounts: mounts) else { return }
        state.withLock { state in
            state.mounts = mounts
            state.mountsGeneration = generation
        }
    }

    private static func isMount(_ path: FilePath) -> Bool {
        guard let device = FileIdentity(path)?.device else { return false }
        return FileIdentity(path.appending(".."))?.device != device
    }
}
