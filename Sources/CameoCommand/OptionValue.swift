import Cameo
import Glibc

/// What was given to an option: bytes, as a name may be of any.
struct OptionValue {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
    init(_ characters: UnsafePointer<CChar>) {
        bytes = FilePath(bytes: UnsafeRawBufferPointer(start: characters, count: strlen(characters))).bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var path: FilePath { FilePath(bytes: bytes) }

    func integer(_ range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(message: "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func number(_ range: ClosedRange<Double>) throws(UsageError) -> Double {
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(message: "'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(UsageError) -> Choice {
        guard let found = choices.first(where: { $0.key == text }) else {
            throw UsageError(message: "'\(text)' is none of \(choices.map(\.key).joined(separator: ", "))")
        }
        return found.value
    }

    /// The parts between commas.
    var list: [OptionValue] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { OptionValue(String($0)) }
    }
}
