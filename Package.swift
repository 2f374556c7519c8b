// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Cameo",
    products: [
        .library(name: "Cameo", targets: ["Cameo"]),
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
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(name: "Cameo", dependencies: ["CVips", "CSQLite", "CJPEG", "CGlibc"]),
        // Only the command reaches into the network: the library links no libcurl.
        .target(name: "Transfer", dependencies: ["CCurl"]),
        .executableTarget(name: "CameoCommand", dependencies: ["Cameo", "CGlibc", "Transfer"]),
        .target(name: "SampleSupport", dependencies: ["Cameo"], path: "Samples/Support"),
        .executableTarget(name: "StartFromView", dependencies: ["SampleSupport"], path: "Samples/StartFromView"),
        .executableTarget(name: "MultiPick", dependencies: ["SampleSupport"], path: "Samples/MultiPick"),
        .executableTarget(name: "ProfilePicture", dependencies: ["SampleSupport"], path: "Samples/ProfilePicture"),
        .testTarget(name: "SamplesTests", dependencies: ["Cameo", "StartFromView", "MultiPick", "ProfilePicture"]),
        .executableTarget(
            name: "LibraryBenchmark", dependencies: ["Cameo"], path: "Benchmarks/Library", exclude: ["README.md"],
            sources: ["Sources"]),
        .target(
            name: "CHotPath", path: "Benchmarks/CHotPath", linkerSettings: [.linkedLibrary("jpeg")]),
        .executableTarget(
            name: "HotPath", dependencies: ["Cameo", "CHotPath"], path: "Benchmarks/HotPath", exclude: ["README.md"]),
        // Fills a store until it is killed; the tests kill it.
        .executableTarget(name: "StoreFiller", dependencies: ["Cameo"], path: "Tests/StoreFiller"),
        .testTarget(name: "CameoTests", dependencies: ["Cameo", "StoreFiller"]),
        .testTarget(name: "CameoCommandTests", dependencies: ["CameoCommand"]),
        .testTarget(name: "TransferTests", dependencies: ["Transfer"]),
    ],
    swiftLanguageModes: [.v6]
)

// Tests/run --sanitize sets it: the thread sanitizer needs locks that it knows.
if Context.environment["CAMEO_SANITIZER"] == "thread" {
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("CAMEO_SANITIZES_THREADS")]
    }
}
