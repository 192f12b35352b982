import ArgumentParser

/// Where a recovery code that the daemon makes goes.
struct RecoveryCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the recovery code to a new file of mode 0600 instead of standard output.", valueName: "file"),
        completion: .file())
    var recoveryCodeOutput: String?
}
