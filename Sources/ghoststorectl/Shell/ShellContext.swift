import StoreClient

/// What a shell's commands have instead of their own: its one connection, and what its own options say.
struct ShellContext: Sendable {
    /// `nil` outside of a shell.
    @TaskLocal static var current: ShellContext?

    let client: StoreClient
    /// Of what is printed and said, where a line asks for no other.
    let format: OutputFormat?
    /// What holds without options of the command.
    let defaults: @Sendable (inout ClientDefaults) -> Void

    /// What the shell says itself has its own form, whatever the line before asked for.
    func useOwnForm() {
        CommandRunner.heedForm([], byDefault: format?.rawValue)
    }
}
