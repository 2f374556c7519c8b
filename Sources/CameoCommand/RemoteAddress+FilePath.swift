import Cameo
import Glibc
import Transfer

extension RemoteAddress {
    /// The address that is written where a path may stand.
    ///
    /// - Throws: `TransferError.badAddress`, also where it is no text: another place would be asked for.
    init(_ path: FilePath) throws(TransferError) {
        guard path.isUTF8 else { throw .badAddress("it is no UTF-8") }
        try self.init(path.description)
    }

    /// Why `path` is nothing for a command that takes paths alone; nil where it is no address, or a file of that name.
    static func refusal(of path: FilePath) -> String? {
        var status = stat()
        guard isAddress(path.description), path.withCString({ lstat($0, &status) }) != 0 else { return nil }
        return "\(shown(path)): an address, which only 'cameo worker' and 'cameo inspect' take"
    }

    /// Throws the first refusal of `paths`.
    static func refuse(_ paths: [FilePath]) throws(UsageError) {
        for path in paths {
            if let reason = refusal(of: path) { throw UsageError(message: reason) }
        }
    }

    /// `path` as results and messages may show it: without what may be secret, if it is an address.
    static func shown(_ path: FilePath) -> FilePath {
        isAddress(path.description) ? FilePath(shown(path.description)) : path
    }
}
