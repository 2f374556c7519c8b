import Cameo
import Foundation

/// A few small photos on disk and a library that shows them again and again. Made once; removed when the tests end.
struct PhotoFolder: Sendable {
    let folder: URL
    let photos: [FilePath]

    static let shared = Result { try PhotoFolder() }

    private init() throws {
        folder = URL.temporaryDirectory.appending(path: "cameo-grid-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        photos = try (0..<8).map { [folder] number in
            let color = RGBColor(UInt8(number * 30), UInt8(250 - number * 30), 90)
            let pixels = PixelBuffer(size: PixelSize(width: 48, height: 36), filledWith: color)
            let path = folder.appending(path: "\(number).jpg")
            try Data(pixels.encoded(Encoding(.jpeg)).bytes).write(to: path)
            return FilePath(path.path)
        }
        atexit {
            if case .success(let photos) = PhotoFolder.shared { try? FileManager.default.removeItem(at: photos.folder) }
        }
        // A stamp that is younger than two seconds proves nothing, and its picture is not kept.
        usleep(2_100_000)
    }

    func assets(_ count: Int) -> [Asset] {
        guard let date = CaptureDate(exif: "2026:01:01 12:00:00") else { return [] }
        return (0..<count).compactMap { index in
            let path = photos[index % photos.count]
            guard let stamp = ContentStamp(path: path) else { return nil }
            return Asset(
                id: Asset.ID("cell\(index)"), path: path, uprightSize: nil, date: date, dateSource: .file, bytes: 1,
                stamp: stamp)
        }
    }
}
