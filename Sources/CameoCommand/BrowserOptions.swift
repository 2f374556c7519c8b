import Cameo
import PickerServer

/// What `pick` and `serve` share.
struct BrowserSettings {
    var catalog = AssetLibrary.CatalogLocation.standard
    var type: TypeFilter?
    var port: UInt16 = 0
    var opens = true
    var isolation = Isolation.auto
    var showsHelp = false

    static let options: [CommandOption<BrowserSettings>] = [
        CommandOption("port", value: "N", "Listen on port N of this machine. (any that is free)") {
            settings, value throws(UsageError) in
            settings.port = UInt16(try value.integer(1...65535))
        },
        CommandOption("no-open", "Only print the address, which is then on standard error.") { settings, _ in
            settings.opens = false
        },
        CommandOption(
            "catalog", value: "DIR|none",
            "Where what is known, and the thumbnails, are kept. ($XDG_CACHE_HOME/cameo)"
        ) { settings, value in
            settings.catalog = value.text == "none" ? .none : .folder(value.path)
        },
        BatchOptions.isolation.lifted { settings, apply throws(UsageError) in try apply(&settings.isolation) },
        CommandOption("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
    ]

    static let typeOption = CommandOption<BrowserSettings>(
        "type", value: "TYPE", "Only image, video, live, panorama, screenshot, animated or raw."
    ) { settings, value throws(UsageError) in
        settings.type = try value.choice([
            "image": .image, "video": .video, "live": .live, "panorama": .panorama, "screenshot": .screenshot,
            "animated": .animated, "raw": .raw,
        ])
    }

    /// A pipeline that keeps its thumbnails in `store`, and its blurs in the catalog.
    func pipeline(for library: AssetLibrary, store: ThumbnailStore?, console: Console) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration()
        configuration.hashes = library
        // Whoever browses a folder opens all of it, whatever it holds and wherever it came from.
        configuration.isolation = isolation
        configuration.onWeakSandbox = { console.message("the sandbox is incomplete here: \($0)") }
        configuration.store = store
        return ImagePipeline(configuration)
    }

    /// Where thumbnails are kept: where the catalog is.
    func store(console: Console) -> ThumbnailStore? {
        let folder: FilePath? =
            switch catalog {
            case .standard: CacheFolder.standard
            case .folder(let folder): folder
            case .none: nil
            }
        return folder.map { folder in
            var options = ThumbnailStore.Options()
            options.onTrouble = { console.message("\($0)") }
            return ThumbnailStore(folder: folder, options: options)
        }
    }
}
