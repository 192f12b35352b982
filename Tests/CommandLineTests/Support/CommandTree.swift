import FoundationEssentials
import GhostTestSupport

/// What `--experimental-dump-help` tells of the commands.
struct CommandTree: Decodable {
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional
            case option
            case flag
        }

        struct Name: Decodable {
            let kind: String
            let name: String
        }

        struct Completion: Decodable {
            /// Completes the names of files.
            let isFile: Bool

            init(from decoder: any Decoder) throws {
                isFile = try decoder.singleValueContainer().decode(JSON.self)["file"] != nil
            }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let shouldDisplay: Bool
        let completionKind: Completion?

        /// As a command line has it: `--kind`, `<log>`.
        var title: String {
            words.first ?? "<\(valueName ?? "")>"
        }

        /// All of an option's names, with their dashes.
        var words: [String] {
            (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name }
        }
    }

    struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// This one and all below it, with the words that name them.
        func all(above path: [String] = []) -> [(path: [String], command: Command)] {
            [(path, self)]
                + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
                    command.all(above: path + [command.commandName])
                }
        }
    }

    let command: Command

    private static let dumpHelp = ["--experimental-dump-help"]
    /// That of ghoststorectl, which takes seconds to tell it, for all tests.
    private static let own = Task { try read(try await Control.run(dumpHelp)) }

    static func whole(of program: String = "ghoststorectl") async throws -> [(path: [String], command: Command)] {
        guard program != "ghoststorectl" else { return try await own.value }
        return try read(try await Program.run(try BuiltPrograms.path(program), dumpHelp))
    }

    private static func read(_ dump: ProgramResult) throws -> [(path: [String], command: Command)] {
        try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8)).command.all()
    }

    /// Each long option that takes a value, with the words of a command that has it.
    static func optionsWithValue() async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (path, command) in try await whole() {
            for word in (command.arguments ?? []).filter({ $0.kind == .option }).flatMap(\.words) {
                let name = String(word.dropFirst(2))
                found[name] = found[name] ?? path
            }
        }
        return found
    }

    /// Every command that does something: `messages list`.
    static func leaves() async throws -> [String] {
        try await whole().filter { ($0.command.subcommands ?? []).isEmpty }.map { $0.path.joined(separator: " ") }
    }
}
