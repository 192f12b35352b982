/// The one error of this program: how it exits and what it says. Messages are lower case, cause first, then a hint.
struct CommandFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The reader of standard output went away: nothing to say, nobody to say it to.
    static let brokenPipe = CommandFailure(.brokenPipe, "")
}
