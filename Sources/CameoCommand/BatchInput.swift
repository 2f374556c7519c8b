import Cameo

/// One input and what its outputs are called.
struct BatchInput: Sendable {
    let path: FilePath
    /// Stems of the outputs, relative to the output folder, one for each of the settings' outputs.
    let stems: [FilePath]
    /// Whether somebody asked for this very file, so that it gets a result whatever it is.
    let isNamed: Bool
}
