/// Why no picture came of a file.
package enum JPEGPreviewError: Error, Hashable, Sendable {
    /// A JPEG that this decoder leaves to others.
    package enum Reason: Hashable, Sendable {
        case arithmeticCoding
        case lossless
        case hierarchical
        /// Samples of so many bits.
        case precision(Int)
        /// So many components: 2, or more than 4.
        case components(Int)
        /// A scan without its Huffman tables, as frames of Motion JPEG have it.
        case missingTables
        /// More blocks than the caller allows.
        case tooLarge
        /// So few bytes for the declared size that almost nothing of the picture can be there.
        case sparse
        /// More scans than any encoder writes before the last DC coefficient.
        case tooManyScans
    }

    /// The file does not begin as a JPEG does.
    case notJPEG
    /// A sound file of a kind that is not read here.
    case declined(Reason)
    /// What must be there to make a picture is missing or contradicts itself.
    case corrupt(String)
    /// Whoever asked for it wants it no more.
    case calledOff
}
