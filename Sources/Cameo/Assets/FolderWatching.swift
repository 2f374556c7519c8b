/// Tells which folders have changed on disk.
protocol FolderWatching: AnyObject, Sendable {
    /// Watches these folders, and no others; returns those that were not watched before and cannot have been told of
    /// what happened in them.
    func watch(_ folders: [FilePath]) -> Set<FilePath>
    /// Ends it; nothing is told afterwards but what is already under way.
    func stop()
}
