import Cameo
import Transfer

/// What a line's input is: a path, or an address.
enum WorkerInput: Sendable {
    case file(FilePath)
    case remote(RemoteAddress)

    init(_ input: FilePath) throws(TransferError) {
        self = RemoteAddress.isAddress(input.description) ? .remote(try RemoteAddress(input)) : .file(input)
    }

    /// `input` as results and messages may show it, whatever it is.
    static func shown(_ input: FilePath) -> FilePath { RemoteAddress.shown(input) }

    /// What names this input and no other, without its secrets.
    var identity: FilePath {
        switch self {
        case .file(let path): path
        case .remote(let address): FilePath(address.shown + (Self.querySuffix(address) ?? ""))
        }
    }

    /// Stems of a line's outputs. One that has no name of its own is named by its whole path or address; a digest is
    /// behind it where that says more than a file's name can, as by an empty component of a key.
    func stems(_ line: ManifestReader.Line) -> [FilePath] {
        guard case .remote(let address) = self, line.output == nil else { return line.stems }
        let parts = FilePath(address.host + address.path).components.filter { $0 != "." && $0 != ".." }
        let name = parts.reduce(FilePath("")) { $0.appending($1) }
        let isWhole = name.bytes == Array((address.host + address.path).utf8)
        let rest = isWhole ? "" : "-" + Digest.sha256(Array(address.path.utf8)).prefix(12)
        let whole = name.bytes + (rest + (Self.querySuffix(address) ?? "")).utf8
        return line.settings.outputs.map { FilePath(bytes: whole + $0.suffix.utf8) }
    }

    /// What tells two queries apart and shows neither.
    private static func querySuffix(_ address: RemoteAddress) -> String? {
        address.query.map { "-" + Digest.sha256(Array($0.utf8)).prefix(12) }
    }
}
