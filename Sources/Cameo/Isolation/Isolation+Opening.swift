extension Isolation {
    /// What opens sources there.
    func opening(
        _ options: RenderOptions, _ faces: FaceSearch?, _ executable: FilePath,
        _ onWeakSandbox: (@Sendable (String) -> Void)?
    ) -> any SourceOpening {
        switch self {
        case .none: LocalOpening(renderer: Renderer(options: options, faces: faces))
        case .auto, .required:
            WorkerPool(
                executable: executable, options: options, faces: faces, isRequired: self == .required,
                onWeakness: onWeakSandbox)
        }
    }
}
