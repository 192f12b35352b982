import StoreClient

/// What a shell's commands have instead of their own: its one connection, and what its own options say.
struct ShellContext: Sendable {
    /// `nil` outside of a shell.
    @TaskLocal static var current: ShellContext?

    let client: StoreClient
    /// What holds without options of the command.
    let defaults: @Sendable (inout ClientDefaults) -> Void
}
