/// What is known of one file in a library: fixed size and no references, so that a million of them are one block.
struct FileRecord: Hashable, Sendable {
    /// What the identifier is made of: the fingerprint of the content when the file was first seen.
    var identity = Fingerprint(high: 0, low: 0)
    /// The fingerprint of the content now.
    var content = Fingerprint(high: 0, low: 0)
    var size: Int64 = 0
    var inode: UInt64 = 0
    /// Nanoseconds since 1970.
    var modified: Int64 = 0
    var changed: Int64 = 0
    /// Civil seconds since 1970.
    var seconds: Int64 = 0
    var nanosecond: UInt32 = 0
    /// Upright pixels, 0 where the header does not tell.
    var width: UInt32 = 0
    var height: UInt32 = 0
    /// 10⁻⁷ degrees, which is a centimetre; `noPlace` for none.
    var latitude = Self.noPlace
    var longitude = Self.noPlace
    /// Where the name stands in the table's buffer.
    var nameStart: UInt32 = 0
    /// The folder's place in the table.
    var folder: UInt32 = 0
    /// 0 for the first file of this identity, then counted from 2.
    var twin: UInt32 = 0
    /// Minutes east of Greenwich; `noOffset` for none.
    var offset = Self.noOffset
    var nameLength: UInt16 = 0
    var form = FileHeader.Form.other
    /// `Asset.Subtypes` as the file alone tells them.
    var subtypes: UInt8 = 0
    var flags: UInt8 = 0

    static let noPlace = Int32.min
    static let noOffset = Int16.min
    /// The stamp proves nothing: the file had just changed.
    static let racy: UInt8 = 1
    /// The date is the file's own.
    static let datedByFile: UInt8 = 2
    /// Shown through another file: the film of a Live Photo, the raw of a pair.
    static let companion: UInt8 = 4

    var isRacy: Bool { flags & Self.racy != 0 }
    var isCompanion: Bool { flags & Self.companion != 0 }
    /// Whether it is an asset's main file.
    var isAsset: Bool { form != .other && !isCompanion }

    var id: Asset.ID { Asset.ID(Identity(self).text) }

    var stamp: ContentStamp {
        ContentStamp(size: size, inode: inode, modified: modified, changed: changed, isRacy: isRacy)
    }

    var date: CaptureDate {
        CaptureDate(
            civilSeconds: seconds, nanosecond: Int(nanosecond),
            offsetMinutes: offset == Self.noOffset ? nil : Int(offset))
    }

    var place: Place? {
        latitude == Self.noPlace ? nil : Place(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    mutating func set(_ date: CaptureDate) {
        seconds = date.civilSeconds
        nanosecond = UInt32(clamping: date.nanosecond)
        // What does not fit becomes what stands for none.
        offset = date.offsetMinutes.flatMap { Int16(exactly: $0) } ?? Self.noOffset
    }

    mutating func set(_ place: Place?) {
        latitude = place.map { Int32(($0.latitude * 1e7).rounded()) } ?? Self.noPlace
        longitude = place.map { Int32(($0.longitude * 1e7).rounded()) } ?? Self.noPlace
    }

    mutating func set(_ stamp: ContentStamp) {
        size = stamp.size
        inode = stamp.inode
        modified = stamp.modified
        changed = stamp.changed
        flags = flags & ~Self.racy | (stamp.isRacy ? Self.racy : 0)
    }

    /// Whether the file whose stamp is `stamp` need not be read again.
    ///
    /// The change of attributes counts too: a tool may write a file and put its time back.
    func isCurrent(_ stamp: ContentStamp) -> Bool {
        !isRacy && size == stamp.size && inode == stamp.inode && modified == stamp.modified && changed == stamp.changed
    }
}
