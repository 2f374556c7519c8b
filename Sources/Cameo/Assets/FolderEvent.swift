/// What a watcher tells: the folders in which something changed, or that it has lost count.
enum FolderEvent: Sendable {
    case changed(Set<FilePath>)
    case lostCount
}
