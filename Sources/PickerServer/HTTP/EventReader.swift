import CMicroHTTPD

/// What the daemon reads a stream of events by.
final class EventReader {
    private let stream: EventStream
    private let connection: OpaquePointer

    init(_ stream: EventStream, _ connection: OpaquePointer) {
        self.stream = stream
        self.connection = connection
    }

    func response() -> OpaquePointer? {
        let context = Unmanaged.passRetained(self).toOpaque()
        let response = MHD_create_response_from_callback(
            cmicrohttpd_size_unknown, 4096,
            { context, _, buffer, size in
                guard let context, let buffer else { return cmicrohttpd_end_of_stream }
                let reader = Unmanaged<EventReader>.fromOpaque(context).takeUnretainedValue()
                return reader.stream.read(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: size), connection: reader.connection)
            }, context,
            { context in
                if let context { Unmanaged<EventReader>.fromOpaque(context).release() }
            })
        if response == nil { Unmanaged<EventReader>.fromOpaque(context).release() }
        return response
    }
}
