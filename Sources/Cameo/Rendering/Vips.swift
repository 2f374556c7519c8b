import CVips
import Synchronization

/// The process's one libvips.
enum Vips {
    /// Starts libvips at first use; false where it would not start.
    ///
    /// The allow-list is libvips's own: every loader is blocked by class, and those that are read are released. It
    /// holds for the whole process, so nothing that a picture contains can reach another loader either.
    static let isStarted: Bool = {
        guard cvips_start() == 0 else { return false }
        vips_operation_block_set("VipsForeignLoad", 1)
        release(ImageFormat.standard)
        return true
    }()

    private static let released = Mutex<Set<ImageFormat>>([])

    /// Lets libvips's loaders of `formats` run.
    static func release(_ formats: Set<ImageFormat>) {
        released.withLock { released in
            for format in formats.subtracting(released) {
                vips_operation_block_set(format.loaderClass, 0)
                released.insert(format)
            }
        }
    }

    /// Loads what reads `format`, where libvips has that as a module: it is started without any. A process that will not
    /// be able to open files has to call it before.
    static func require(_ format: ImageFormat) {
        switch format {
        case .heif, .avif: heifModule
        case .jxl: jxlModule
        case .jpeg, .png, .gif, .webp, .tiff, .jp2, .svg: ()
        }
    }

    private static let heifModule: Void = cvips_require_module(ImageFormat.heif.loaderClass, "vips-heif")
    private static let jxlModule: Void = cvips_require_module(ImageFormat.jxl.loaderClass, "vips-jxl")

    /// Takes libvips's error text away. All threads share one buffer, so the text may be another's: it is carried
    /// along for people and decides nothing.
    static func takeErrorText() -> String {
        guard let text = vips_error_buffer_copy() else { return "" }
        defer { g_free(text) }
        let lines = String(cString: text).split(separator: "\n").map(String.init)
        // A decoder repeats itself for each line of a damaged picture.
        return lines.first ?? ""
    }
}

extension ImageFormat {
    fileprivate var loaderClass: String {
        switch self {
        case .jpeg: "VipsForeignLoadJpeg"
        case .png: "VipsForeignLoadPng"
        case .gif: "VipsForeignLoadNsgif"
        case .webp: "VipsForeignLoadWebp"
        case .heif, .avif: "VipsForeignLoadHeif"
        case .tiff: "VipsForeignLoadTiff"
        case .jxl: "VipsForeignLoadJxl"
        case .jp2: "VipsForeignLoadJp2k"
        case .svg: "VipsForeignLoadSvg"
        }
    }
}
