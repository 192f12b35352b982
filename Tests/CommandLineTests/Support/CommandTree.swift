import FoundationEssentials
import GhostTestSupport

/// What `--experimental-dump-help` tells of the commands.
struct CommandTree: Decodable {
    struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }

            let kind: String
            let names: [Name]?
        }

        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?

        func leaves(prefix: String) -> [String] {
            guard let subcommands, !subcommands.isEmpty else { return [prefix + commandName] }
            let isRoot = commandName == "ghoststorectl"
            return subcommands.flatMap { $0.leaves(prefix: isRoot ? "" : "\(prefix)\(commandName) ") }
        }

        func gatherOptions(_ words: [String], into found: inout [String: [String]]) {
            for argument in arguments ?? [] where argument.kind == "option" {
                for name in argument.names ?? [] where name.kind == "long" && found[name.name] == nil {
                    found[name.name] = words
                }
            }
            for subcommand in subcommands ?? [] {
                subcommand.gatherOptions(words + [subcommand.commandName], into: &found)
            }
        }
    }

    let command: Command

    private static func read() async throws -> CommandTree {
        let dump = try await Program.run(Control.path, ["--experimental-dump-help"])
        return try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8))
    }

    /// Each long option that takes a value, with the words of a command that has it.
    static func optionsWithValue() async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        try await read().command.gatherOptions([], into: &found)
        return found
    }

    /// Every command that does something: `messages list`.
    static func leaves() async throws -> [String] {
        try await read().command.leaves(prefix: "")
    }
}
