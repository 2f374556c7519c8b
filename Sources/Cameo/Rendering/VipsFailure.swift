/// libvips could not do something; the text is for people.
struct VipsFailure: Error {
    let text: String
}
