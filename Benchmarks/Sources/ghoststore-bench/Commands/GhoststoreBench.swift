import ArgumentParser
import Glibc
import StoreBasics

@main
struct GhoststoreBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ghoststore-bench",
        abstract: "Measures a ghoststored, and compares it with its peers on this machine.",
        version: "ghoststore-bench \(ProjectVersion.text)",
        subcommands: [
            RunCommand.self, CompareCommand.self, ReplicationCommand.self, HostileCommand.self,
            HostileCallerCommand.self,
        ],
        defaultSubcommand: RunCommand.self)

    static func main() async {
        do {
            var command = try await asyncParseAsRoot(ProgramArguments.readDisablingDispatchLog())
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Self.exit(withError: error)
        }
    }
}

/// An error that stops a run: the machine, a peer or the daemon did not do what the run needs.
struct BenchError: Error, CustomStringConvertible {
    /// The message for people: in lower case, with the cause first, then a hint.
    let message: String

    init(_ message: String) {
        self.message = message
    }

    var description: String { message }
}

/// Finds the daemon's socket if the command line has no `--socket`.
enum SocketChoice {
    static func path(_ given: String?) throws(BenchError) -> String {
        if let given {
            return given
        }
        if let path = getenv("GHOSTSTORE_SOCKET") {
            return String(cString: path)
        }
        let runtimeDirectory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/ghoststore/socket" }
        let places = [runtimeDirectory, "/run/ghoststore/socket"].compactMap { $0 }
        guard let path = places.first(where: { access($0, F_OK) == 0 }) else {
            throw BenchError("no ghoststored socket found; hint: start ghoststored, or name its socket with --socket")
        }
        return path
    }
}
