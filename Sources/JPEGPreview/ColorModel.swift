/// What a JPEG's components mean.
package enum ColorModel: Hashable, Sendable {
    case grey
    /// Luma and chroma of full range, as JFIF has it.
    case yCbCr
    case rgb
    /// Ink, 255 for none where `isInverted`, which is how Adobe writes it.
    case cmyk(isInverted: Bool)
    /// The same with the three inks as luma and chroma.
    case ycck(isInverted: Bool)
}
