import ArgumentParser
import Glibc
import StoreBasics

struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststorectl",
        abstract: "Administer a ghoststored daemon, and read and write its store.",
        discussion: """
            The daemon's socket is --socket, else $GHOSTSTORE_SOCKET, else $XDG_RUNTIME_DIR/ghoststore/socket, else \
            /run/ghoststore/socket. Secrets are read from a prompt without echo, a file or a descriptor; never from \
            an argument or the environment.

            \(ExitStatus.helpText)
            """,
        version: "ghoststorectl \(ProjectVersion.text)",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Store",
                subcommands: [
                    InitCommand.self, UnlockCommand.self, LockCommand.self, StatusCommand.self, StatsCommand.self,
                    MetricsCommand.self, CheckCommand.self, ClearAllDataCommand.self,
                ]),
            CommandGroup(name: "Keys and backups", subcommands: [KeysCommand.self, BackupCommand.self]),
            CommandGroup(
                name: "Data",
                subcommands: [
                    ConversationsCommand.self, MessagesCommand.self, ContactsCommand.self, ChangesCommand.self,
                    WatchCommand.self, ScenesCommand.self, LogsCommand.self, BlobsCommand.self,
                ]),
            CommandGroup(
                name: "Scripting",
                subcommands: [RPCCommand.self, EncodeCommand.self, DecodeCommand.self, CompletionsCommand.self]),
        ])
}

/// Parses the command line, runs the command and turns its failure into a message and an exit status.
@main
enum EntryPoint {
    static func main() async {
        // A reader that went away is an error of write(2), which ends the program quietly; not a signal.
        signal(SIGPIPE, SIG_IGN)
        // libdispatch tells syslog, with an address of the heap, that it may not raise its threads' priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
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
