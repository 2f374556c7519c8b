/// A mistake on the command line. Exit status 2.
struct UsageError: Error {
    let message: String
}
