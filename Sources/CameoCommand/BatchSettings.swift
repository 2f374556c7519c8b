import Cameo
import Glibc

/// What `thumbnails` and `avatar` are asked to do.
struct BatchSettings {
    var output: FilePath?
    var manifest: FilePath?
    /// What is read lies in here, if this is given.
    var root: FilePath?
    var isJSON = false
    var isForced = false
    var workers = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    var progress = Console.ProgressMode.automatic
    var options = RenderOptions()
    var memory = MemoryBudget.standard
    var isolation = Isolation.auto
    var template = NameTemplate.standard

    var sizes = [PixelSize(square: 256)]
    var scales = [1]
    var mode = Rendition.Mode.fit
    var shape = Rendition.Shape.rectangle
    var focus = Focus.centre
    /// What `focus` keeps around faces.
    var framing = Focus.Framing.picture
    /// How a crop step turned the picture.
    var turn = Orientation.up
    var background: RGBColor?
    var ring: Rendition.Ring?
    var enlarges = false
    var encoding = Encoding()
    var initials: String?
    var worker = WorkerOptions()
    var showsHelp = false

    /// What `avatar` starts from.
    static var avatar: BatchSettings {
        var settings = BatchSettings()
        settings.sizes = [PixelSize(square: 100), PixelSize(square: 200)]
        settings.mode = .fill
        settings.shape = .circle
        settings.focus = .faces()
        settings.framing = .head
        settings.enlarges = true
        return settings
    }

    /// One output of each input: what is asked for, and what its name gets behind the input's.
    struct Output {
        let rendition: Rendition
        let suffix: String
        let scale: Int
    }

    /// All outputs of an input, in the order of their sizes and scales.
    var outputs: [Output] {
        sizes.flatMap { size in
            scales.map { scale in
                var ring = ring
                ring?.width *= Double(scale)
                let rendition = Rendition(
                    size: PixelSize(width: size.width * scale, height: size.height * scale), mode: mode, shape: shape,
                    focus: focus.framed(framing), background: background, ring: ring, enlarges: enlarges,
                    encoding: encoding, turn: turn)
                let sizePart = size.width == size.height ? "-\(size.width)" : "-\(size.width)x\(size.height)"
                let suffix = (sizes.count > 1 ? sizePart : "") + (scale > 1 ? "@\(scale)x" : "")
                return Output(rendition: rendition, suffix: suffix, scale: scale)
            }
        }
    }

    /// Throws what is wrong with the settings as a whole.
    func check() throws(UsageError) {
        for output in outputs {
            if let problem = output.rendition.problem { throw UsageError(message: problem) }
        }
        if Set(outputs.map(\.suffix)).count != outputs.count {
            throw UsageError(message: "a size or a scale is asked for twice")
        }
    }
}
