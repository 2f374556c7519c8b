import Cameo
import Glibc
import Transfer

/// Where a worker's outputs go.
enum OutputPlace: Sendable {
    case folder(FilePath, Leftovers = Leftovers())
    case remote(RemoteAddress, TransferClient)

    /// The place that `-o` names.
    init(_ output: FilePath, client: TransferClient) throws(WorkerError) {
        guard RemoteAddress.isAddress(output.description) else {
            self = .folder(output)
            return
        }
        do throws(TransferError) {
            self = .remote(try RemoteAddress(output), client)
        } catch {
            throw .failed(.init("notWritable", stage: .write, "\(error)"))
        }
    }

    /// Whether storing takes so long that a decoder need not wait for it.
    var isRemote: Bool {
        if case .remote = self { return true }
        return false
    }

    /// Finds out at once, and not after the first decode, whether anything can be written.
    func prepare() throws(WorkerError) {
        guard case .folder(let folder, _) = self else { return }
        do throws(OutputError) {
            try WholeFile.checkFolder(folder)
        } catch {
            throw .machine("\(error)")
        }
    }

    /// Writes one output, whole or not at all, in place of what is there.
    ///
    /// - Returns: Where it is now.
    func store(
        _ bytes: [UInt8], as name: FilePath, _ format: Encoding.Format, of input: FilePath,
        isCalledOff: @escaping () -> Bool
    ) throws(WorkerError) -> FilePath {
        switch self {
        case .folder(let folder, let leftovers):
            leftovers.remove(in: name.parent, of: folder)
            let target = folder.appending(name)
            try Self.write(bytes, to: target, in: folder, of: input)
            return target
        case .remote(let base, let client):
            let address = base.appending(name.bytes)
            do throws(TransferError) {
                try client.store(bytes, at: address, type: "image/\(format.rawValue)", isCalledOff: isCalledOff)
            } catch {
                throw Self.mapped(error, address, of: input)
            }
            return FilePath(address.shown)
        }
    }

    private static func write(
        _ bytes: [UInt8], to target: FilePath, in folder: FilePath, of input: FilePath
    ) throws(WorkerError) {
        if let there = FileIdentity(target), there == FileIdentity(input) {
            throw .failed(.init("notWritable", stage: .write, "\(input): not done: its output would replace it"))
        }
        do throws(OutputError) {
            try WholeFile.makeFolder(target.parent, in: folder)
            try WholeFile.write(bytes, to: target)
        } catch {
            // A name that cannot be is this line's trouble alone; everything else is the machine's.
            if case .unusableName = error {
                throw .failed(.init("notWritable", stage: .write, "\(input): \(error)"))
            }
            throw .machine("\(error)")
        }
    }

    private static func mapped(_ error: TransferError, _ address: RemoteAddress, of input: FilePath) -> WorkerError {
        switch error {
        case .calledOff: .calledOff
        // The store takes nothing from here, whatever it is: no key, the wrong one, no such bucket, or it is full. It is
        // not reached, not trusted, or somewhere else.
        case .status(401), .status(403), .status(404), .status(405), .status(507), .unreachable, .badAddress, .redirect:
            .machine("\(address.shown): cannot be written: \(error)")
        default:
            .failed(
                .init(
                    "notWritable", stage: .write, "\(input): \(address.shown): \(error)", retryable: error.isPassing))
        }
    }

    /// The output of `input` that is called `stem` and an extension of one of `formats`, if there is one.
    ///
    /// - Throws: Where that cannot be told. What is refused is taken for missing: stores answer 403 for what is not there
    ///   to who may write and not list, and to who may not write they say so again.
    func existing(
        _ stem: FilePath, _ formats: [Encoding.Format], scale: Int, of input: FilePath,
        isCalledOff: @escaping () -> Bool
    ) throws(WorkerError) -> ResultLine.Output? {
        for format in formats {
            let name = FilePath(bytes: stem.bytes + ".\(format.fileExtension)".utf8)
            switch self {
            case .folder(let folder, _):
                let path = folder.appending(name)
                guard let stamp = ContentStamp(path: path), let opened = try? OpenedImage(.file(path)) else { continue }
                return ResultLine.Output(
                    path: path, size: opened.header.uprightSize, scale: scale, bytes: Int(stamp.size))
            case .remote(let base, let client):
                let picture = RemotePicture(
                    address: base.appending(name.bytes), client: client, options: RenderOptions(),
                    isCalledOff: isCalledOff)
                guard let fetched = try Self.header(of: picture, of: input), let count = fetched.count,
                    let opened = try? OpenedImage(picture.source(fetched))
                else { continue }
                return ResultLine.Output(
                    path: FilePath(picture.address.shown), size: opened.header.uprightSize, scale: scale, bytes: count)
            }
        }
        return nil
    }

    /// The beginning of a picture that is there; nil where none is.
    private static func header(of picture: RemotePicture, of input: FilePath) throws(WorkerError) -> Fetched? {
        do throws(TransferError) {
            return try picture.fetch { .header($0, count: $1) }
        } catch {
            switch error {
            case .unreachable, .brokenOff, .timedOut, .badAddress, .calledOff: break
            case .status where error.isPassing: break
            case .status, .tooLarge, .redirect: return nil
            }
            throw mapped(error, picture.address, of: input)
        }
    }
}
