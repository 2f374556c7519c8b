/// Gives files their identifiers, so that an asset keeps its own through renames, moves and edits.
///
/// The rules, in this order:
/// 1. A file that changed in place (same path and inode) keeps its identifier.
/// 2. Content that is gone from its former path, and is now at a path where it was not, has moved: the identifier
///    moves with it. Where several files of one content moved at once, the inode tells which is which, else the order
///    of paths.
/// 3. A file at a known path whose content is new (an editor that saves by replacing) keeps the path's identifier,
///    unless it moved away by rule 2.
///    Two identical files that exchange their names are no move: nothing that a user can see has changed.
/// 4. A new file is called by its fingerprint; where that name is in use, a number is added, counted from 2. So of
///    two identical files the one seen first, in a first scan the one whose path comes first, has the plain name, and
///    each keeps its name when the other goes.
struct IdentityAssigner {
    private var taken: Set<Identity> = []
    /// Where to go on counting twins, so that ten thousand copies do not take the square of that.
    private var nextTwin: [Fingerprint: UInt32] = [:]
    /// Identifiers whose files are gone or hold other content now, by that content.
    private var displaced: [Fingerprint: [FileRecord]] = [:]

    /// - Parameters:
    ///   - kept: Records that stay as they are.
    ///   - displaced: Records whose path is gone or whose content has been replaced.
    ///   - reads: Contents that need a name. Of the names in use only those that could be given to one of them, or
    ///     that a displaced record has, are remembered: few of a million.
    init(kept: some Sequence<FileRecord>, displaced: [FileRecord], reads: Set<Fingerprint>) {
        let relevant = displaced.reduce(into: reads) { $0.insert($1.identity) }
        if !reads.isEmpty {
            for record in kept where record.form != .other && relevant.contains(record.identity) {
                taken.insert(Identity(record))
            }
        }
        for record in displaced where record.form != .other {
            self.displaced[record.content, default: []].append(record)
        }
    }

    /// Notes that a file keeps its identifier, before any is given by the later rules.
    mutating func claim(_ record: FileRecord) {
        if record.form != .other { taken.insert(Identity(record)) }
    }

    /// Rule 2: the identifier that `record`'s content brought with it.
    mutating func moved(_ record: inout FileRecord) -> Bool {
        guard var candidates = displaced[record.content], !candidates.isEmpty else { return false }
        let place = candidates.firstIndex { $0.inode == record.inode } ?? 0
        let former = candidates.remove(at: place)
        displaced[record.content] = candidates
        guard taken.insert(Identity(former)).inserted else { return false }
        (record.identity, record.twin) = (former.identity, former.twin)
        return true
    }

    /// Whether content like `record`'s, on its very inode, has been displaced.
    func hasDisplacedInode(of record: FileRecord) -> Bool {
        displaced[record.content]?.contains { $0.inode == record.inode } == true
    }

    /// Rule 3: takes over `former`'s identifier if it is still there to be had.
    mutating func inherit(_ record: inout FileRecord, from former: FileRecord) -> Bool {
        guard former.form != .other, taken.insert(Identity(former)).inserted else { return false }
        (record.identity, record.twin) = (former.identity, former.twin)
        return true
    }

    /// Rule 4.
    mutating func name(_ record: inout FileRecord) {
        record.identity = record.content
        record.twin = 0
        if taken.insert(Identity(record)).inserted { return }
        record.twin = nextTwin[record.content] ?? 2
        while !taken.insert(Identity(record)).inserted { record.twin += 1 }
        nextTwin[record.content] = record.twin &+ 1
    }
}
