import FoundationEssentials
import GhostTestSupport

/// What `--experimental-dump-help` tells of the commands.
struct CommandTree: Decodable {
    struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?

        func leaves(prefix: String) -> [String] {
            guard let subcommands, !subcommands.isEmpty else { return [prefix + commandName] }
            let isRoot = commandName == "ghoststorectl"
            return subcommands.flatMap { $0.leaves(prefix: isRoot ? "" : "\(prefix)\(commandName) ") }
        }
    }

    let command: Command

    /// Every command that does something: `messages list`.
    static func leaves() async throws -> [String] {
        let dump = try await Program.run(Control.path, ["--experimental-dump-help"])
        return try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8)).command.leaves(prefix: "")
    }
}
