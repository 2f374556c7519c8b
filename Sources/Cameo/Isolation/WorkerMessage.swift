/// What goes through the channel. What every picture needs is written as bytes, since texts would cost more than all
/// else that isolation does; what is rare is written as JSON inside.
protocol WorkerMessage {
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(ByteReader.Malformed)
}

extension WorkerMessage {
    /// The message as it is sent.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}
