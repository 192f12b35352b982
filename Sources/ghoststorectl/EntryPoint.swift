import ArgumentParser
import Glibc

/// Parses the command line, runs the command and turns its failure into a message and an exit status.
@main
enum EntryPoint {
    static func main() async {
        // A reader that went away is an error of write(2), which ends the program quietly; not a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try RootCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error where FailureMapping.isOurs(error) {
            let failure = FailureMapping.failure(of: error)
            if !failure.message.isEmpty {
                Diagnostics.write(failure.message)
            }
            exit(failure.status.rawValue)
        } catch {
            RootCommand.exit(withError: error)
        }
    }
}
