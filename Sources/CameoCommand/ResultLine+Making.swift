import Cameo
import Glibc

extension ResultLine {
    /// What came of an input whose outputs are written.
    init(
        input: FilePath, line: Int?, _ header: ImageHeader, _ result: RenderResult, _ outputs: [BatchSettings.Output],
        _ written: [Output]
    ) {
        self.init(input: input, line: line, status: .rendered)
        format = header.format.rawValue
        upright = [header.uprightSize.width, header.uprightSize.height]
        if let image = result.images.first {
            let isFilled = image.rendition.mode == .fill
            if isFilled || image.crop != PixelRect(header.uprightSize) { crop = image.crop.components }
            if isFilled {
                focus = image.focus.description
                found(result.faces, in: header.uprightSize)
            }
        }
        self.outputs = written
        warnings = result.warnings.map(\.rawValue)
    }

    /// What comes of a line that asks for nothing.
    init(_ bad: ManifestReader.BadLine) {
        self.init(input: bad.input, line: bad.number, Failure("unreadable", stage: .line, bad.reason))
        id = bad.id
    }
}

extension ResultLine.Failure {
    init(_ kind: String, stage: ResultLine.Stage, _ message: String, retryable: Bool = false) {
        self.init(kind: kind, message: message, stage: stage, retryable: retryable)
    }

    /// Why the picture at `path` was not rendered.
    init(_ error: RenderError, of path: FilePath) {
        let stage: ResultLine.Stage =
            switch error.kind {
            case "unreadable", "empty", "notAnImage", "unsupported", "tooLarge": .read
            case "corrupt", "crashed": .decode
            default: .render
            }
        // Time may be short on this machine alone, a file system may come back; a picture stays what it is.
        let isPassing = error.kind == "timedOut" || (error.kind == "unreadable" && !Self.isGone(path))
        self.init(error.kind, stage: stage, "\(error)", retryable: isPassing)
    }

    /// Whether there is no regular file that this process may read, as opposed to one that would not be read just now.
    private static func isGone(_ path: FilePath) -> Bool {
        var status = stat()
        if path.withCString({ stat($0, &status) }) == 0 {
            return status.st_mode & S_IFMT != S_IFREG || path.withCString({ access($0, R_OK) }) != 0
        }
        return [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno)
    }
}
