import Cameo
import FaceDetection
import Glibc
import Synchronization

// What finding faces adds to making profile pictures. See the README beside.

/// Counts the searches of the detector that it passes them on to.
final class CountingDetector: FaceDetecting {
    private let detector = FrontalFaceDetector()
    let searches = Mutex(0)

    var version: String { detector.version }
    var searchSides: [Int] { detector.searchSides }

    func faces(in picture: GreyPixels) throws(FaceDetectionError) -> [DetectedFace] {
        searches.withLock { $0 += 1 }
        return try detector.faces(in: picture)
    }
}

/// Milliseconds of one picture, with and without a search.
struct Measured {
    enum Group: String, CaseIterable {
        case first = "found at the first search"
        case second = "found, after two searches"
        case none = "nothing found"
    }

    let photo: FilePath
    let group: Group
    /// The side of the crop in pixels of the photo.
    let crop: Int
    let off: Double
    let on: Double
}

/// CPU of all threads: libvips decodes in one of its own.
func processMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Grain as a camera's sensor leaves it: with the same seed the same. An enlarged picture has less detail than a photo, and
/// decodes faster than one.
struct Grain {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Adds it to brightness, with a standard deviation of 8.
    mutating func add(to pixels: PixelBuffer) -> PixelBuffer {
        var bytes = pixels.bytes
        for start in stride(from: 0, to: bytes.count, by: pixels.channels) {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            // Four bytes of a random number, whose sum is nearly normal: 147 is its deviation.
            let sum = (0..<4).reduce(0) { $0 + Int(state >> UInt64(8 * $1) & 255) } - 510
            let noise = sum * 8 / 147
            for place in start..<start + 3 { bytes[place] = UInt8(min(255, max(0, Int(bytes[place]) + noise))) }
        }
        return PixelBuffer(size: pixels.size, channels: pixels.channels, bytes: bytes)
    }
}

/// 12-megapixel JPEGs of `photos`, landscape ones of 4000 × 3000 pixels.
func enlarged(_ photos: [FilePath], into folder: FilePath) throws -> [FilePath] {
    var grain = Grain()
    return try photos.map { photo in
        let opened = try OpenedImage(.file(photo))
        let upright = opened.header.uprightSize
        let size = PixelSize(width: 4000, height: 3000)
        let rendition = Rendition(
            size: upright.width >= upright.height ? size : size.transposed, mode: .fill, enlarges: true)
        let target = folder.appending(photo.lastComponent.stemAndExtension.stem).appending("12.jpg")
        try WholeFile.makeFolder(target.parent)
        let pixels = grain.add(to: try Renderer().render(opened, [rendition]).images[0].pixels)
        try WholeFile.write(pixels.encoded(Encoding(.jpeg, quality: 92)).bytes, to: target)
        return target
    }
}

func measure(_ photo: FilePath, rounds: Int) throws -> Measured {
    let detector = CountingDetector.shared
    let renderer = Renderer(faces: FaceSearch(detector))
    func renditions(_ focus: Focus) -> [Rendition] { [100, 200].map { .profilePicture($0, focus: focus) } }
    var (off, on): ([Double], [Double]) = ([], [])
    var group = Measured.Group.none
    var crop = 0
    for round in 0...rounds {
        let start = processMilliseconds()
        _ = try renderer.render(.file(photo), renditions(.upper))
        let middle = processMilliseconds()
        detector.searches.withLock { $0 = 0 }
        let result = try renderer.render(.file(photo), renditions(.faces()))
        let end = processMilliseconds()
        // The first round warms up.
        guard round > 0 else { continue }
        off.append(middle - start)
        on.append(end - middle)
        crop = result.images[0].crop.width
        if result.faces?.isEmpty == false { group = detector.searches.withLock { $0 } == 1 ? .first : .second }
    }
    return Measured(photo: photo, group: group, crop: crop, off: median(off), on: median(on))
}

extension CountingDetector {
    static let shared = CountingDetector()
}

func tenths(_ value: Double) -> String {
    let text = String(Int((value * 10).rounded()))
    return text.count < 2 ? "0.\(text)" : "\(text.dropLast()).\(text.suffix(1))"
}

/// What a search may add at most where a face is found at the first, in milliseconds.
let bar = 45.0

var arguments = CommandLine.arguments.dropFirst()
let checks = arguments.first == "--check"
if checks { arguments = arguments.dropFirst() }
guard let folder = arguments.first, arguments.count >= 2 else {
    print("usage: ProfilePicturesBenchmark [--check] SCRATCH PHOTO...")
    exit(2)
}
let photos = try enlarged(arguments.dropFirst().map { FilePath($0) }, into: FilePath(folder))
let measured = try photos.map { try measure($0, rounds: 7) }
print("| 12 MP pictures | number | without, ms of CPU | with | added, median | added, most |")
print("|---|---|---|---|---|---|")
for group in Measured.Group.allCases {
    let those = measured.filter { $0.group == group }
    guard !those.isEmpty else { continue }
    let added = those.map { $0.on - $0.off }
    print(
        "| \(group.rawValue) | \(those.count) | \(tenths(median(those.map(\.off)))) | \(tenths(median(those.map(\.on))))"
            + " | \(tenths(median(added))) | \(tenths(added.max() ?? 0)) |")
}

print("\nThe costliest of those found at the first search, with the side of the crop:")
for those in measured.filter({ $0.group == .first }).sorted(by: { $0.on - $0.off > $1.on - $1.off }).prefix(5) {
    print("\(tenths(those.on - those.off)) ms, \(those.crop) pixels: \(those.photo.parent.lastComponent)")
}

if checks {
    let most = measured.filter { $0.group == .first }.map { $0.on - $0.off }.max()
    let holds = most.map { $0 <= bar } ?? false
    print(
        "\(holds ? "pass" : "FAIL"): at most \(tenths(bar)) ms added where a face is found at the first search:",
        most.map { "\(tenths($0)) ms" } ?? "none was found")
    if !holds { exit(1) }
}
