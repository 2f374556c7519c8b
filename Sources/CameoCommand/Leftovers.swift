import Cameo
import Glibc
import Synchronization

/// Clears the folders that a run writes to of what killed runs left there, each folder once.
final class Leftovers: Sendable {
    /// Those that were looked at.
    private let seen = Mutex<Set<FilePath>>([])

    /// Removes what lies in `place`, relative to the output folder `folder`, unless that was done. A link on the way is not
    /// followed, as it is not when outputs are written.
    ///
    /// - Complexity: O(names there) the first time.
    func remove(in place: FilePath, of folder: FilePath) {
        guard seen.withLock({ $0.insert(place).inserted }) else { return }
        var path = folder
        for component in place.components {
            path = path.appending(component)
            var status = stat()
            guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        }
        WholeFile.removeLeftovers(in: path)
    }
}
