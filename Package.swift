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
        .target(name: "Cameo", dependencies: ["CVips", "CSQLite", "CGlibc"]),
        .executableTarget(name: "CameoCommand", dependencies: ["Cameo", "CGlibc"]),
        // Fills a store until it is killed; the tests kill it.
        .executableTarget(name: "StoreFiller", dependencies: ["Cameo"], path: "Tests/StoreFiller"),
        .testTarget(name: "CameoTests", dependencies: ["Cameo", "StoreFiller"]),
        .testTarget(name: "CameoCommandTests", dependencies: ["CameoCommand"]),
    ],
    swiftLanguageModes: [.v6]
)
