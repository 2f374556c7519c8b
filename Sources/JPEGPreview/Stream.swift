extension ScanDecoder {
    /// Where a stream of coefficients stands.
    struct Stream {
        var reader: BitReader
        /// Each member's last DC coefficient.
        var predictions: [Int]
        /// Whether a code was none, or coefficients went beyond the 64th.
        var isDamaged = false

        init(_ reader: BitReader, predictions: [Int]) {
            (self.reader, self.predictions) = (reader, predictions)
        }

        /// At the start of a scan, or behind a restart.
        init(_ reader: BitReader, members: Int) {
            self.init(reader, predictions: [Int](repeating: 0, count: members))
        }
    }
}
