// swift-tools-version: 6.2
import PackageDescription

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
        .systemLibrary(name: "CGlibc"),
        .target(name: "Cameo", dependencies: ["CVips", "CSQLite"]),
        .target(
            name: "CFaceDetection",
            cxxSettings: [
                // Without optimisation a search takes sixty times as long.
                .unsafeFlags(["-O2"], .when(configuration: .debug))
            ],
            linkerSettings: [.linkedLibrary(":libdlib.a")]),
        .target(name: "FaceDetection", dependencies: ["Cameo", "CFaceDetection"]),
        .executableTarget(name: "CameoCommand", dependencies: ["Cameo", "FaceDetection", "CGlibc"]),
        .target(name: "SampleSupport", dependencies: ["Cameo"], path: "Samples/Support"),
        .executableTarget(name: "StartFromView", dependencies: ["SampleSupport"], path: "Samples/StartFromView"),
        .executableTarget(name: "MultiPick", dependencies: ["SampleSupport"], path: "Samples/MultiPick"),
        .executableTarget(
            name: "ProfilePicture", dependencies: ["SampleSupport", "FaceDetection"], path: "Samples/ProfilePicture"),
        .testTarget(name: "SamplesTests", dependencies: ["Cameo", "StartFromView", "MultiPick", "ProfilePicture"]),
        .executableTarget(
            name: "LibraryBenchmark", dependencies: ["Cameo"], path: "Benchmarks/Library", exclude: ["README.md"],
            sources: ["Sources"]),
        .executableTarget(
            name: "ProfilePicturesBenchmark", dependencies: ["Cameo", "FaceDetection"],
            path: "Benchmarks/ProfilePictures", exclude: ["README.md", "run"], sources: ["Sources"]),
        .testTarget(name: "CameoTests", dependencies: ["Cameo"]),
        .testTarget(name: "FaceDetectionTests", dependencies: ["FaceDetection"]),
        .testTarget(name: "CameoCommandTests", dependencies: ["CameoCommand"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
