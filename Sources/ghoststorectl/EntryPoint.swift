import Glibc
import StoreBasics

/// Does what the command line says, and turns a failure into a message and an exit status.
@main
enum EntryPoint {
    static func main() async {
        // A reader that went away is an error of write(2), which ends the program quietly; not a signal.
        signal(SIGPIPE, SIG_IGN)
        do throws(CommandFailure) {
            try await CommandRunner.run(ProgramArguments.takeQuietly())
        } catch {
            if !error.message.isEmpty {
                Diagnostics.write(error)
            }
            exit(error.status.rawValue)
        }
    }
}
