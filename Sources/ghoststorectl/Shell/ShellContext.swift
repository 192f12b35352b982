import StoreClient

/// The connection of a shell, which its commands share, and the defaults from the shell's own options.
struct ShellContext: Sendable {
    /// The context of the shell; `nil` outside of a shell.
    @TaskLocal static var current: ShellContext?

    let client: StoreClient
    /// The output format if a line requests no other.
    let format: OutputFormat?
    /// Sets the defaults that apply if a command has no options.
    let defaults: @Sendable (inout ClientDefaults) -> Void

    /// Resets the form of messages to the shell's own, whatever form the previous line requested.
    func useOwnForm() {
        CommandRunner.heedForm([], byDefault: format?.rawValue)
    }
}
