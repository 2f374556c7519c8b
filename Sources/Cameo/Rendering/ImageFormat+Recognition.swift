extension ImageFormat {
    /// Whether the extension of `path` is one by which people name pictures.
    public static func isNamedLikePicture(_ path: FilePath) -> Bool {
        guard let suffix = path.stemAndExtension.extension else { return false }
        return pictureExtensions.contains(suffix.description.lowercased())
    }
}

extension OpenedImage {
    /// Whether the first bytes of the file are those of a picture, whether it can be read or not.
    public static func looksLikePicture(_ path: FilePath) -> Bool {
        var isPicture = false
        // Nothing but the beginning is read: the source is turned down as soon as it has been looked at.
        _ = try? SourceBytes(.file(path), limit: 0) { head throws(RenderError) in
            isPicture = head.withSpan { ImageFormat.sniff($0) }.isPicture
            throw RenderError.notAnImage(source: "")
        }
        return isPicture
    }
}
