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
        .systemLibrary(name: "CGlibc"),
        .systemLibrary(
            name: "CJPEG", path: "Tests/CJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .target(name: "JPEGPreview"),
        .target(name: "JPEGReference", dependencies: ["CJPEG"], path: "Tests/JPEGReference"),
        .executableTarget(
            name: "JPEGPreviewBenchmark", dependencies: ["JPEGPreview", "JPEGReference"],
            path: "Benchmarks/JPEGPreview", exclude: ["README.md", "quality.py"], sources: ["Sources"]),
        .target(name: "Cameo", dependencies: ["CVips", "CSQLite", "JPEGPreview"]),
        .executableTarget(name: "CameoCommand", dependencies: ["Cameo", "CGlibc"]),
        .target(name: "SampleSupport", dependencies: ["Cameo"], path: "Samples/Support"),
        .executableTarget(name: "StartFromView", dependencies: ["SampleSupport"], path: "Samples/StartFromView"),
        .executableTarget(name: "MultiPick", dependencies: ["SampleSupport"], path: "Samples/MultiPick"),
        .executableTarget(name: "ProfilePicture", dependencies: ["SampleSupport"], path: "Samples/ProfilePicture"),
        .testTarget(name: "SamplesTests", dependencies: ["Cameo", "StartFromView", "MultiPick", "ProfilePicture"]),
        .executableTarget(
            name: "LibraryBenchmark", dependencies: ["Cameo"], path: "Benchmarks/Library", exclude: ["README.md"],
            sources: ["Sources"]),
        .testTarget(name: "JPEGPreviewTests", dependencies: ["JPEGPreview", "JPEGReference"]),
        .testTarget(name: "CameoTests", dependencies: ["Cameo", "JPEGReference"]),
        .testTarget(name: "CameoCommandTests", dependencies: ["CameoCommand"]),
    ],
    swiftLanguageModes: [.v6]
)
