import Glibc
import StoreBasics

@main
enum EntryPoint {
    static func main() async {
        // A reader that went away is an error of write(2), which ends the program quietly; not a signal.
        signal(SIGPIPE, SIG_IGN)
        let status = await run(ProgramArguments.takeQuietly())
        guard status == .success else { exit(status.rawValue) }
    }

    /// Does what the command line says, and turns a failure into a message and an exit status.
    ///
    /// - Parameter arguments: without the name of the program.
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
