import ArgumentParser
import StoreClient

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    /// The longest `--timeout`: a day.
    private static let timeoutSecondsMax = 86_400

    @Option(help: ArgumentHelp("Path of the daemon's socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Print JSON Lines for programs instead of tables for people.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Give up after so many seconds (30 for short calls, never for long work).", valueName: "seconds"))
    var timeout: Int?

    @Flag(help: "Show no progress bar, even on a terminal.")
    var noProgress = false

    func validate() throws {
        if let timeout, !(1...Self.timeoutSecondsMax).contains(timeout) {
            throw ValidationError("--timeout is a number of seconds from 1 to \(Self.timeoutSecondsMax)")
        }
    }

    func makeOutput() -> Output {
        Output(isJSON: json)
    }

    func progressBar(_ label: String) -> ProgressBar {
        ProgressBar(label, isWanted: !noProgress)
    }
}
