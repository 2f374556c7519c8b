/// One option of a subcommand: how it is written, what `--help` says of it, and what it does to the settings.
struct CommandOption<Settings>: Sendable {
    let name: String
    let letter: Character?
    /// What its value is called; nil for a switch.
    let value: String?
    let help: String
    /// Whether a manifest line may say it too.
    let isOverride: Bool
    let apply: @Sendable (inout Settings, OptionValue) throws(UsageError) -> Void

    init(
        _ name: String, letter: Character? = nil, value: String? = nil, _ help: String, isOverride: Bool = false,
        apply: @escaping @Sendable (inout Settings, OptionValue) throws(UsageError) -> Void
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
        self.isOverride = isOverride
        self.apply = apply
    }
}

extension CommandOption {
    /// The same option of a subcommand whose settings hold these. No manifest says it: its lines are read by the table
    /// of the settings themselves.
    func lifted<Whole>(
        _ update:
            @escaping @Sendable (inout Whole, (inout Settings) throws(UsageError) -> Void) throws(UsageError) -> Void
    ) -> CommandOption<Whole> {
        CommandOption<Whole>(name, letter: letter, value: value, help) { whole, value throws(UsageError) in
            try update(&whole) { settings throws(UsageError) in try apply(&settings, value) }
        }
    }
}
