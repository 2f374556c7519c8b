// swift-tools-version: 6.2
import PackageDescription

let pixelArithmetic: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "Cameo",
    products: [
        .library(name: "Cameo", targets: ["Cameo"]),
        .library(name: "FaceDetection", targets: ["FaceDetection"]),
        .executable(name: "cameo", targets: ["CameoCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CVips", pkgConfig: "vips",
            providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(name: "CGlibc"),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CJPEGReference", path: "Tests/CJPEGReference", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        // Arithmetic on pixels, in modules of its own: without optimisation it takes fifty times as long.
        .target(name: "JPEGPreview", swiftSettings: pixelArithmetic),
        .target(name: "Resampling", swiftSettings: pixelArithmetic),
        .target(
            name: "JPEGReference", dependencies: ["CJPEGReference"], path: "Tests/JPEGReference",
            swiftSettings: pixelArithmetic),
        .executableTarget(
            name: "JPEGPreviewBenchmark", dependencies: ["JPEGPreview", "JPEGReference"],
            path: "Benchmarks/JPEGPreview", exclude: ["README.md", "quality.py"], sources: ["Sources"]),
        .target(name: "Cameo", dependencies: ["CVips", "CSQLite", "CJPEG", "CGlibc", "JPEGPreview", "Resampling"]),
        .target(
            name: "CFaceDetection",
            cxxSettings: [
                // Without optimisation a search takes sixty times as long.
                .unsafeFlags(["-O2"], .when(configuration: .debug))
            ],
            linkerSettings: [.linkedLibrary(":libdlib.a")]),
        .target(name: "FaceDetection", dependencies: ["Cameo", "CFaceDetection"]),
        // The page is compiled in, so that the executable can be moved without a folder of resources beside it.
        .target(
            name: "PickerServer", dependencies: ["Cameo", "CMicroHTTPD", "CGlibc"],
            resources: [.embedInCode("Page")]),
        .executableTarget(
            name: "CameoCommand", dependencies: ["Cameo", "FaceDetection", "PickerServer", "CGlibc", "Transfer"]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        // Only the command reaches into the network: the library links no libcurl.
        .target(name: "Transfer", dependencies: ["CCurl"]),
        .target(name: "SampleSupport", dependencies: ["Cameo"], path: "Samples/Support"),
        .executableTarget(name: "StartFromView", dependencies: ["SampleSupport"], path: "Samples/StartFromView"),
        .executableTarget(name: "MultiPick", dependencies: ["SampleSupport"], path: "Samples/MultiPick"),
        .executableTarget(
            name: "ProfilePicture", dependencies: ["SampleSupport", "FaceDetection"], path: "Samples/ProfilePicture"),
        .testTarget(name: "SamplesTests", dependencies: ["Cameo", "StartFromView", "MultiPick", "ProfilePicture"]),
        .executableTarget(
            name: "LibraryBenchmark", dependencies: ["Cameo"], path: "Benchmarks/Library", exclude: ["README.md"],
            sources: ["Sources"]),
        .target(
            name: "CHotPath", path: "Benchmarks/CHotPath", linkerSettings: [.linkedLibrary("jpeg")]),
        .executableTarget(
            name: "HotPath", dependencies: ["Cameo", "CHotPath"], path: "Benchmarks/HotPath", exclude: ["README.md"]),
        .systemLibrary(
            name: "CPlainVips", path: "Benchmarks/GridScroll/CPlainVips", pkgConfig: "vips",
            providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
        .target(
            name: "GridScrollKit", dependencies: ["Cameo", "CPlainVips", "CGlibc"], path: "Benchmarks/GridScroll/Kit",
            resources: [.copy("Traces")]),
        .executableTarget(name: "GridScroll", dependencies: ["GridScrollKit"], path: "Benchmarks/GridScroll/Command"),
        .testTarget(name: "GridScrollTests", dependencies: ["GridScrollKit", "GridScroll"]),
        // Fills a store until it is killed; the tests kill it.
        .executableTarget(name: "StoreFiller", dependencies: ["Cameo"], path: "Tests/StoreFiller"),
        // Does not become a worker where it is asked to.
        .executableTarget(name: "ForgetfulHost", dependencies: ["Cameo"], path: "Tests/ForgetfulHost"),
        .testTarget(name: "JPEGPreviewTests", dependencies: ["JPEGPreview", "JPEGReference"]),
        .testTarget(
            name: "CameoTests",
            dependencies: ["Cameo", "FaceDetection", "JPEGReference", "Resampling", "StoreFiller", "ForgetfulHost"]),
        .executableTarget(
            name: "ProfilePicturesBenchmark", dependencies: ["Cameo", "FaceDetection"],
            path: "Benchmarks/ProfilePictures", exclude: ["README.md", "run"], sources: ["Sources"]),
        .testTarget(name: "FaceDetectionTests", dependencies: ["FaceDetection"]),
        .testTarget(name: "CameoCommandTests", dependencies: ["CameoCommand"]),
        // Says what the geometry is, for the page's copies of it; the browser tests ask.
        .executableTarget(name: "PickerVectors", dependencies: ["Cameo"], path: "Tests/PickerVectors"),
        .testTarget(name: "PickerServerTests", dependencies: ["PickerServer"]),
        .testTarget(name: "TransferTests", dependencies: ["Transfer"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Tests/run sets them. Where the slow tests run and under the address sanitizer the library is optimised, or it would take
// minutes for what a release does in seconds. For the thread sanitizer it is not: optimised code has the standard library's
// collections in itself, and the sanitizer, which does not see how reference counts order two threads, calls writing to
// an array that another thread has let go of a race.
let sanitizer = Context.environment["CAMEO_SANITIZER"]
let isForThreads = sanitizer == "thread"
let isOptimized = !isForThreads && (sanitizer != nil || Context.environment["CAMEO_SLOW_TESTS"] != nil)
for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []
    if sanitizer != nil { settings.append(.define("CAMEO_SANITIZES")) }
    if isOptimized, target.type == .regular { settings.append(.unsafeFlags(["-O"], .when(configuration: .debug))) }
    if isForThreads {
        // It needs locks that it knows.
        settings.append(.define("CAMEO_SANITIZES_THREADS"))
        target.dependencies.append("ThreadSanitizing")
        if target.name == "CFaceDetection" {
            let list = Context.packageDirectory + "/Tests/ThreadSanitizing/left-out.txt"
            target.cxxSettings?.append(.unsafeFlags(["-fsanitize-ignorelist=" + list]))
        }
    }
    target.swiftSettings = settings
}
if isForThreads {
    package.targets.append(
        .target(name: "ThreadSanitizing", path: "Tests/ThreadSanitizing", exclude: ["left-out.txt", "suppressed.txt"]))
}
