import Cameo

/// What `thumbnails --json` and `avatar --json` print for each input.
struct ResultLine: Codable {
    struct Output: Codable {
        var path: String
        var pathBytes: String?
        var width: Int
        var height: Int
        var scale: Int
        var bytes: Int

        init(path: FilePath, size: PixelSize, scale: Int, bytes: Int) {
            self.path = path.description
            pathBytes = path.lossyBytes
            width = size.width
            height = size.height
            self.scale = scale
            self.bytes = bytes
        }

        /// The path, whatever its bytes.
        var filePath: FilePath {
            get { FilePath(path, bytes: pathBytes) }
            set { (path, pathBytes) = (newValue.description, newValue.lossyBytes) }
        }
    }

    /// Where on its way an input failed.
    enum Stage: String, Codable {
        /// In the manifest's line itself.
        case line
        case fetch, read, decode, render, write
    }

    struct Failure: Error, Codable {
        var kind: String
        var message: String
        var stage: Stage
        /// Whether the same may go well another time or on another machine.
        var retryable: Bool
    }

    enum Status: String, Codable {
        case rendered, current, failed
    }

    private enum CodingKeys: CodingKey {
        case input, inputBytes, line, status, format, upright, crop, focus, confidence, faces, outputs, warnings, error
    }

    /// What the caller calls the input, as JSON; printed, but kept nowhere.
    var id: [UInt8]?
    var input: String
    var inputBytes: String?
    /// The line of the manifest that asked.
    var line: Int?
    var status: Status
    var format: String?
    var upright: [Int]?
    var crop: [Int]?
    var focus: String?
    /// How sure the detector is of the main face, 0 to 1.
    var confidence: Double?
    /// `[x, y, width, height, confidence]` of each face in upright pixels, the main one first.
    var faces: [[Double]]?
    var outputs: [Output]?
    var warnings: [String]?
    var error: Failure?

    init(input: FilePath, line: Int?, status: Status) {
        self.input = input.description
        inputBytes = input.lossyBytes
        self.line = line
        self.status = status
    }

    init(input: FilePath, line: Int?, _ failure: Failure) {
        self.init(input: input, line: line, status: .failed)
        error = failure
    }

    /// Notes faces that were searched for.
    mutating func found(_ faces: [DetectedFace]?, in upright: PixelSize) {
        self.faces = faces?.map { $0.numbers(in: upright) }
        confidence = self.faces?.first?.last
    }

    /// The object on one line.
    var encoded: [UInt8] {
        let object = JSONLine.encode(self)
        guard let id else { return object }
        return Array("{\"id\":".utf8) + id + [UInt8(ascii: ",")] + object.dropFirst()
    }
}
