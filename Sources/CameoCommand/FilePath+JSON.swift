import Cameo
import FoundationEssentials

extension FilePath {
    /// The bytes in base64 where text would lose some of them.
    var lossyBytes: String? { isUTF8 ? nil : Data(bytes).base64EncodedString() }

    /// The path that `text`, and `base64` where text is not enough, stand for.
    init(_ text: String, bytes base64: String?) {
        if let base64, let data = Data(base64Encoded: base64) {
            self.init(bytes: data)
        } else {
            self.init(text)
        }
    }
}
