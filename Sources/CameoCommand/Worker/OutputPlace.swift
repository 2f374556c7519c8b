import Cameo
import Glibc

/// Where a worker's outputs go.
struct OutputPlace {
    let folder: FilePath

    /// Finds out at once, and not after the first decode, whether anything can be written.
    func prepare() throws(WorkerError) {
        do throws(OutputError) {
            try WholeFile.checkFolder(folder)
        } catch {
            throw .machine("\(error)")
        }
    }

    /// Writes one output, whole or not at all, in place of what is there.
    ///
    /// - Returns: Where it is now.
    func store(_ bytes: [UInt8], as name: FilePath, of input: FilePath) throws(WorkerError) -> FilePath {
        let target = folder.appending(name)
        if let there = FileIdentity(target), there == FileIdentity(input) {
            throw .failed(.init("notWritable", stage: .write, "\(input): not done: its output would replace it"))
        }
        do throws(OutputError) {
            try WholeFile.makeFolder(target.parent)
            try WholeFile.write(bytes, to: target)
        } catch {
            // A name that cannot be is this line's trouble alone; everything else is the machine's.
            if case .unusableName = error {
                throw .failed(.init("notWritable", stage: .write, "\(input): \(error)"))
            }
            throw .machine("\(error)")
        }
        return target
    }

    /// The output that is called `stem` and an extension of one of `formats`, if there is one.
    func existing(_ stem: FilePath, _ formats: [Encoding.Format], scale: Int) -> ResultLine.Output? {
        for format in formats {
            let path = folder.appending(FilePath(bytes: stem.bytes + ".\(format.fileExtension)".utf8))
            guard let stamp = ContentStamp(path: path), let opened = try? OpenedImage(.file(path)) else { continue }
            return ResultLine.Output(
                path: path, size: opened.header.uprightSize, scale: scale, bytes: Int(stamp.size))
        }
        return nil
    }
}
