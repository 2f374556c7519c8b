/// What is worth knowing about a picture that was rendered all the same.
public enum RenderWarning: String, Codable, CaseIterable, Sendable {
    /// The data ends early; the part that is there was rendered.
    case truncated
    /// The decoder met errors in the data; the picture may show them.
    case damaged
    /// An embedded colour profile is broken or does not fit the pixels, and was ignored.
    case profileIgnored
    /// The picture was enlarged to the size asked for.
    case upscaled
    /// A fill of a picture that is smaller than the size asked for: cropped to the aspect, not enlarged.
    case smaller
    /// The face detector failed; the crop is the fallback's.
    case facesNotSearched
}
