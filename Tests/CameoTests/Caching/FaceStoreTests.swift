import Glibc
import Testing

@testable import Cameo

struct FaceStoreTests {
    private let folder = FilePath("/tmp/cameo-face-store-\(getpid())-\(UInt64.random(in: 0...(.max)))")
    private let stamp = ContentStamp(size: -1, inode: .max, modified: .min, changed: 5, isRacy: false)
    private let faces = [
        DetectedFace(x: -0.25, y: 0.1, width: 0.5, height: 1 / 3, confidence: 0.7),
        DetectedFace(x: 0, y: 0, width: 1, height: 1, confidence: 0),
    ]

    private func remove() {
        for name in ["faces.sqlite", "faces.sqlite-wal", "faces.sqlite-shm"] {
            _ = folder.appending(FilePath(name)).withCString { unlink($0) }
        }
        _ = folder.withCString { rmdir($0) }
    }

    @Test("What is remembered is there in the next store, for the same stamp and version alone")
    func remembers() {
        defer { remove() }
        let store = FaceStore(folder: folder)
        #expect(store.faces(of: stamp, detector: "a") == nil)
        store.remember(faces, of: stamp, detector: "a")
        store.remember([], of: stamp, detector: "none")
        let next = FaceStore(folder: folder)
        #expect(next.faces(of: stamp, detector: "a") == faces)
        #expect(next.faces(of: stamp, detector: "none") == [])
        #expect(next.faces(of: stamp, detector: "b") == nil)
        let changed = ContentStamp(size: -1, inode: .max, modified: .min, changed: 6, isRacy: false)
        #expect(next.faces(of: changed, detector: "a") == nil)
        next.remember([faces[1]], of: stamp, detector: "a")
        #expect(store.faces(of: stamp, detector: "a") == [faces[1]])
    }

    @Test("A process that comes while another makes the store shares it")
    func shared() throws {
        defer { remove() }
        try WholeFile.makeFolder(folder)
        let (folder, stamp, faces) = (folder, stamp, faces)
        try Making.during(folder.appending("faces.sqlite")) {
            FaceStore(folder: folder).remember(faces, of: stamp, detector: "a")
        }
        #expect(FaceStore(folder: folder).faces(of: stamp, detector: "a") == faces)
    }

    @Test("What is held is told and forgotten, by another process's connection too; where nothing is, nothing is made")
    func upkeep() throws {
        defer { remove() }
        let store = FaceStore(folder: folder)
        #expect(try store.stats() == FaceStore.Stats() && store.clear() == 0)
        #expect(folder.withCString { access($0, F_OK) } != 0)
        for version in 0..<300 { store.remember(faces, of: stamp, detector: "\(version)") }
        let other = FaceStore(folder: folder)
        let full = try other.stats()
        // Two faces of five numbers of eight bytes each.
        #expect(full.searches == 300 && full.bytes > 300 * 80)
        #expect(try other.clear() == 300)
        #expect(store.faces(of: stamp, detector: "7") == nil)
        let empty = try store.stats()
        #expect(empty.searches == 0 && empty.bytes < full.bytes / 2)
        store.remember(faces, of: stamp, detector: "7")
        #expect(other.faces(of: stamp, detector: "7") == faces)
    }

    @Test("A damaged store is told of, and cleared")
    func damagedUpkeep() throws {
        defer { remove() }
        try WholeFile.makeFolder(folder)
        try WholeFile.write([UInt8](repeating: 0xA5, count: 5000), to: folder.appending("faces.sqlite"))
        let store = FaceStore(folder: folder)
        #expect(throws: StoreError.self) { try store.stats() }
        #expect(try store.clear() == 0)
        #expect(try store.stats().searches == 0)
    }

    @Test("A damaged store begins anew")
    func damaged() throws {
        defer { remove() }
        try WholeFile.makeFolder(folder)
        try WholeFile.write([UInt8](repeating: 0xA5, count: 5000), to: folder.appending("faces.sqlite"))
        let store = FaceStore(folder: folder)
        store.remember(faces, of: stamp, detector: "a")
        #expect(store.faces(of: stamp, detector: "a") == faces)
    }

    @Test(
        "A store that is damaged behind its first page begins anew as soon as that is found",
        arguments: [true, false], [true, false])
    func damagedInside(isCleared: Bool, isOpen: Bool) throws {
        defer { remove() }
        let path = folder.appending("faces.sqlite")
        do {
            let full = FaceStore(folder: folder)
            full.remember(faces, of: stamp, detector: "first")
            try full.use { (state) throws(DatabaseError) in
                try state.database.execute(
                    """
                    WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers LIMIT 2000)
                    INSERT INTO faces (stamp, detector, faces) SELECT stamp, CAST(number AS BLOB), faces FROM faces, numbers
                    """)
            }
            #expect(full.faces(of: stamp, detector: "7") == faces)
        }
        let store = FaceStore(folder: folder)
        if isOpen { #expect(store.faces(of: stamp, detector: "none") == nil) }
        let pageSize = try Database(path: path).integer("PRAGMA page_size")
        let file = path.withCString { Glibc.open($0, O_RDWR) }
        let length = Int(lseek(file, 0, SEEK_END)) - pageSize
        #expect(length > 50 * pageSize)
        let junk = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(pwrite(file, junk, length, off_t(pageSize)) == length)
        close(file)
        if isCleared { #expect(try store.clear() == 0) }
        #expect(store.faces(of: stamp, detector: "7") == nil)
        store.remember(faces, of: stamp, detector: "7")
        #expect(store.faces(of: stamp, detector: "7") == faces)
        #expect(FaceStore(folder: folder).faces(of: stamp, detector: "7") == faces)
        #expect(try store.clear() == 1)
    }

    @Test("Bytes that are no faces are none")
    func junk() throws {
        defer { remove() }
        let store = FaceStore(folder: folder)
        store.remember(faces, of: stamp, detector: "a")
        let database = try Database(path: store.path)
        for junk in ["x'00'", "zeroblob(40)", "x'" + String(repeating: "ff", count: 40) + "'"] {
            try database.execute("UPDATE faces SET faces = \(junk)")
            #expect(store.faces(of: stamp, detector: "a") == nil)
        }
    }

    @Test("Where no store can be, nothing is remembered and nothing fails")
    func nowhere() {
        let store = FaceStore(folder: "/dev/null/nowhere")
        store.remember(faces, of: stamp, detector: "a")
        #expect(store.faces(of: stamp, detector: "a") == nil)
    }
}
