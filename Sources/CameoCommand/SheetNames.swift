import Cameo
import Glibc

/// What the pages of a contact sheet are called: FILE, FILE-2, FILE-3 and so on.
///
/// Nobody named those after the first, so they replace nothing but pages of earlier sheets. Those are known by their
/// content, which the folder's ledger holds from the first sheet of several pages on.
struct SheetNames {
    let output: FilePath
    private let stem: FilePath
    private let suffix: FilePath
    private let folder: FilePath
    private var ledger: OutputLedger?

    /// The names of a sheet that goes to `output`; nil where that has no extension.
    init?(_ output: FilePath) {
        let (stem, suffix) = output.stemAndExtension
        guard let suffix else { return nil }
        self.output = output
        self.stem = stem
        self.suffix = suffix
        folder = output.parent.bytes.isEmpty ? "." : output.parent
        // One is made where it is needed: the folder may be anybody's.
        if OutputLedger.isKept(in: folder) { ledger = OutputLedger(folder: folder) }
    }

    /// The extension, in lower case.
    var format: String { suffix.description.lowercased() }

    /// What page `number`, from 1, is called.
    func page(_ number: Int) -> FilePath {
        if number == 1 { return output }
        return output.parent.appending(FilePath(bytes: stem.bytes + "-\(number).".utf8 + suffix.bytes))
    }

    /// Whether the file at `path` is what the sheet replaces: it is called like a page, and is one of an earlier sheet
    /// unless it is the first.
    func isEarlierPage(_ path: FilePath) -> Bool {
        guard let identity = FileIdentity(path) else { return false }
        if identity == FileIdentity(output) { return true }
        let name = path.lastComponent
        guard ledger != nil, name.bytes.starts(with: stem.bytes + "-".utf8), path.stemAndExtension.extension == suffix,
            FileIdentity(folder.appending(name)) == identity
        else { return false }
        return isKnown(name, at: path)
    }

    /// Makes ready for `count` pages.
    ///
    /// - Throws: Where one after the first would replace what is no page of an earlier sheet.
    mutating func prepare(pages count: Int) throws(UsageError) {
        for number in (1...max(1, count)).dropFirst() {
            let page = page(number)
            var status = stat()
            guard page.withCString({ lstat($0, &status) }) == 0, !isKnown(page.lastComponent, at: page) else {
                continue
            }
            throw UsageError(
                message:
                    "\(page): page \(number) would replace it, which is no page of an earlier sheet; choose another -o")
        }
        if count > 1, ledger == nil { ledger = OutputLedger(folder: folder) }
    }

    /// Notes that `bytes` were written as page `number`.
    func note(_ bytes: [UInt8], page number: Int) {
        guard number > 1 else { return }
        let entry = OutputLedger.Entry(key: Array(Digest.sha256(bytes).utf8), record: [])
        ledger?.note(entry, for: page(number).lastComponent)
        ledger?.flush()
    }

    private func isKnown(_ name: FilePath, at path: FilePath) -> Bool {
        guard let entry = ledger?.entry(name), let digest = try? Digest.sha256(of: path, limit: .max) else {
            return false
        }
        return entry.key == Array(digest.utf8)
    }
}
