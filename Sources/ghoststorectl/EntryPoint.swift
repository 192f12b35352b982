import Glibc
import StoreBasics

@main
enum EntryPoint {
    static func main() async {
        // If the reader of the output goes away, write(2) returns an error, which ends the program quietly. Without
        // this, a signal would end it.
        signal(SIGPIPE, SIG_IGN)
        let status = await run(ProgramArguments.readDisablingDispatchLog())
        guard status == .success else { exit(status.rawValue) }
    }

    /// Runs the command line, and turns a failure into a message and an exit status.
    ///
    /// - Parameter arguments: The arguments without the name of the program.
    static func run(_ arguments: [String]) async -> ExitStatus {
        do throws(CommandFailure) {
            try await CommandRunner.run(arguments)
            return .success
        } catch {
            if !error.message.isEmpty {
                Diagnostics.write(error)
            }
            return error.status
        }
    }
}
