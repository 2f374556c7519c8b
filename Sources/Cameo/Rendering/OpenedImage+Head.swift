extension OpenedImage {
    /// Why a source that begins with `head` would be refused whatever follows; nil where it may be a picture.
    ///
    /// For sources that are costly to read whole: 4096 bytes tell the format, and often the size.
    package static func refusal(
        ofHead head: [UInt8], named name: String, options: RenderOptions
    ) -> RenderError? {
        head.withUnsafeBytes { bytes in
            do throws(RenderError) {
                try check(head: bytes, options, name: name)
                return nil
            } catch {
                return error
            }
        }
    }
}
