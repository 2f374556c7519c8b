extension FolderScanner.Result {
    /// Whether everything is as `table` has it.
    func matches(_ table: FileTable) -> Bool {
        guard listings.count == table.folders.count else { return false }
        for (place, listing) in listings.enumerated() {
            guard listing.known == place else { return false }
            if listing.isKept { continue }
            guard findings[place].count == table.files(of: place).count else { return false }
            for found in findings[place] {
                if case .read = found.finding { return false }
            }
        }
        return true
    }
}
