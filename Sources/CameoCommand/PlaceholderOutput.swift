import Cameo

/// `cameo avatar --initials NAME`: writes the placeholder in every size and scale.
enum PlaceholderOutput {
    static func write(_ name: String, _ settings: BatchSettings, folder: FilePath, console: Console) -> ExitStatus {
        let placeholder = Placeholder(name: name)
        var line = ResultLine(input: FilePath(name), line: nil, status: .rendered)
        do {
            try WholeFile.makeFolder(folder)
            WholeFile.removeLeftovers(in: folder)
            let naming = OutputNaming(template: settings.template, outputs: settings.outputs)
            let stems = naming.names(of: fileName(name), isDistinct: true)
            line.outputs = try zip(settings.outputs, stems).map { output, stem in
                let image = try placeholder.render(output.rendition)
                let (format, bytes) = try image.encoded()
                let target = folder.appending(FilePath(bytes: stem.bytes + ".\(format.fileExtension)".utf8))
                try WholeFile.write(bytes, to: target)
                return ResultLine.Output(path: target, size: image.pixels.size, scale: output.scale, bytes: bytes.count)
            }
        } catch {
            console.message("\(error)")
            // A name that is too long for a file is no fault of the machine.
            if case OutputError.unusableName = error { return .someFailed }
            return .environment
        }
        if settings.isJSON {
            console.result(line.encoded)
        } else {
            for output in line.outputs ?? [] { console.result(output.filePath.bytes) }
        }
        return .done
    }

    /// The person's name, without what a file name cannot hold or would hide.
    private static func fileName(_ name: String) -> FilePath {
        let safe = String(name.map { $0 == "/" ? "_" : $0 })
        return FilePath(safe.isEmpty || safe.hasPrefix(".") ? "placeholder" : safe)
    }
}
