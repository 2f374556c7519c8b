import Glibc

extension Database {
    /// Microseconds between two tries of a file that somebody else is just making, and the most seconds of trying.
    private static let (makingPause, makingPatience) = (UInt32(10_000), 2.0)

    /// Calls `open` again, for two seconds at most, as long as it fails because the file `isBusy`.
    ///
    /// Turning a new file to WAL fails at once, whatever patience SQLite was told to have, while another connection does
    /// the same.
    static func patiently<Result, Failure>(
        _ isBusy: (Failure) -> Bool, _ open: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let end = MonotonicClock.seconds() + makingPatience
        while true {
            do throws(Failure) {
                return try open()
            } catch {
                guard isBusy(error), MonotonicClock.seconds() < end else { throw error }
                usleep(makingPause)
            }
        }
    }

    /// What `open` makes of the file at `path`; where that is damaged, of a new one. For what can be made again.
    static func openOrReplace<Result>(
        _ path: FilePath, _ open: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        do throws(DatabaseError) {
            return try patiently({ $0.isBusy }, open)
        } catch {
            guard error.isDamage else { throw error }
            setAside(path, as: nil)
            return try patiently({ $0.isBusy }, open)
        }
    }

    /// Renames the file at `path` and what SQLite keeps beside it; removes them where there is no new name. What cannot
    /// be renamed stays.
    static func setAside(_ path: FilePath, as aside: FilePath?) {
        for suffix in ["", "-wal", "-shm"] {
            let from = FilePath(bytes: path.bytes + suffix.utf8)
            guard let to = aside.map({ FilePath(bytes: $0.bytes + suffix.utf8) }) else {
                _ = from.withCString { unlink($0) }
                continue
            }
            let status = from.withCString { from in to.withCString { rename(from, $0) } }
            // What is left of a file that was set aside before does not belong to this one.
            if status != 0, errno == ENOENT { _ = to.withCString { unlink($0) } }
        }
    }
}
