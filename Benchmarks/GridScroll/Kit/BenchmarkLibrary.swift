import Cameo
import Foundation
import Glibc

/// A library of any size out of a folder of photos: each asset is one of them, under an identifier of its own, and
/// those that a trace comes near are files of their own too, so that stamps and the system's cache tell them apart.
package struct BenchmarkLibrary: Sendable {
    /// One photo of the folder.
    package struct Photo: Hashable, Sendable {
        /// The file.
        package let path: FilePath
        /// Its length.
        package let bytes: Int
        /// Whether the camera put a small picture into it that shows the same.
        package let hasPreview: Bool
    }

    /// The photos that can be read.
    package let photos: [Photo]
    /// The assets.
    package private(set) var assets: [Asset]
    private let folder: URL

    /// A library of `count` assets out of the photos in `source`; files go into `scratch`.
    package init(photos source: URL, count: Int, scratch: URL) throws {
        photos = try Self.photos(in: source)
        if photos.isEmpty { throw BenchmarkError.noPhotos(source.path) }
        let names = photos.map { "\($0.path) \($0.bytes)" }.joined(separator: "\n")
        folder = scratch.appending(path: "files-" + String(Self.hash(names), radix: 16))
        assets = []
        assets.reserveCapacity(count)
        guard let date = CaptureDate(exif: "2026:01:01 12:00:00") else { throw BenchmarkError.noPhotos(source.path) }
        let stamps = photos.map { ContentStamp(path: $0.path) }
        for index in 0..<count {
            let photo = Self.photo(of: index, of: photos.count)
            guard let stamp = stamps[photo] else { throw BenchmarkError.file("\(photos[photo].path)", "gone") }
            assets.append(asset(index, date, stamp))
        }
    }

    /// Which photo an asset shows. Each run of as many assets as there are photos shows each once, in its own order.
    package func photo(of index: Int) -> Int { Self.photo(of: index, of: photos.count) }

    private static func photo(of index: Int, of count: Int) -> Int {
        let (round, place) = index.quotientAndRemainder(dividingBy: count)
        // A step that shares no factor with the count visits each once.
        var step = 1 + (round * 7919 + 13) % count
        while gcd(step, count) != 1 { step += 1 }
        return (place * step + round * 31) % count
    }

    private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }

    private func asset(_ index: Int, _ date: CaptureDate, _ stamp: ContentStamp) -> Asset {
        Asset(
            id: Asset.ID("cell\(index)"), path: file(of: index), uprightSize: nil, date: date, dateSource: .file,
            bytes: Int(stamp.size), stamp: stamp)
    }

    private func file(of index: Int) -> FilePath {
        let photo = photos[photo(of: index)]
        let ending = photo.path.stemAndExtension.extension.map { ".\($0)" } ?? ""
        return FilePath("\(folder.path)/\(index / 1000)/\(index)\(ending)")
    }

    /// Makes the files of `cells`, those that are not there yet, and stamps their assets.
    package mutating func makeFiles(of cells: Set<Int>, progress: (Int, Int) -> Void = { _, _ in }) throws {
        var isNew = false
        for (number, cell) in cells.sorted().enumerated() {
            let photo = photos[photo(of: cell)]
            let path = file(of: cell)
            if ContentStamp(path: path)?.size != Int64(photo.bytes) {
                let target = URL(filePath: path.description)
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try? FileManager.default.removeItem(at: target)
                try FileManager.default.copyItem(at: URL(filePath: photo.path.description), to: target)
                isNew = true
            }
            if number % 64 == 0 { progress(number, cells.count) }
        }
        if isNew {
            // Dirty pages cannot be dropped, and a stamp counts once it is two seconds old.
            sync()
            sleep(3)
        }
        for cell in cells {
            guard let stamp = ContentStamp(path: file(of: cell)) else {
                throw BenchmarkError.file("\(file(of: cell))", "cannot be looked at")
            }
            assets[cell] = asset(cell, assets[cell].date, stamp)
        }
    }

    /// Makes the system forget the contents of the files of `cells`.
    package func dropFromMemory(_ cells: Set<Int>) {
        // What was written lately, by a build for instance, would be brought to the disk while the replay reads from it.
        sync()
        for cell in cells {
            let descriptor = assets[cell].path.withCString { open($0, O_RDONLY) }
            guard descriptor >= 0 else { continue }
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            close(descriptor)
        }
    }

    /// Makes the system read the files of `cells` into its memory.
    package func readIntoMemory(_ cells: Set<Int>) {
        for cell in cells {
            let descriptor = assets[cell].path.withCString { open($0, O_RDONLY) }
            guard descriptor >= 0 else { continue }
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_WILLNEED)
            close(descriptor)
        }
    }

    /// The photos in `folder` that can be read, by their names.
    static func photos(in folder: URL) throws -> [Photo] {
        let files: [URL]
        do {
            files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        } catch {
            throw BenchmarkError.file(folder.path, "cannot be read")
        }
        var configuration = ImagePipeline.Configuration()
        configuration.pressure = nil
        let pipeline = ImagePipeline(configuration)
        let rendition = Rendition(size: PixelSize(square: 256), mode: .fill)
        let tasks = files.sorted { $0.path < $1.path }.map { file in
            let source = ImageSource.file(FilePath(file.path))
            return (file, pipeline.start(ImageRequest(source, rendition, delivery: .fast, caching: [])))
        }
        pipeline.waitUntilIdle()
        return tasks.compactMap { file, task in
            guard let image = task.lastEvent?.image else { return nil }
            let path = FilePath(file.path)
            return Photo(
                path: path, bytes: Int(ContentStamp(path: path)?.size ?? 0),
                hasPreview: image.origin == .embeddedPreview)
        }
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
