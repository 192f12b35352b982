import FoundationEssentials
import GhostTestSupport

/// The commands as `--experimental-dump-help` describes them.
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
            /// True if the argument completes to names of files.
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

        /// The argument as usage lines write it: `--kind`, `<log>`.
        var title: String {
            words.first ?? "<\(valueName ?? "")>"
        }

        /// All names of an option, with their dashes.
        var words: [String] {
            (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name }
        }
    }

    struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// Returns this command and all its subcommands, each with the words of its path.
        func all(above path: [String] = []) -> [(path: [String], command: Command)] {
            [(path, self)]
                + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
                    command.all(above: path + [command.commandName])
                }
        }
    }

    let command: Command

    private static let dumpHelp = ["--experimental-dump-help"]
    /// The commands of ghoststorectl. All tests share them, because the program needs seconds to print them.
    private static let own = Task { try read(try await Control.run(dumpHelp)) }

    static func whole(of program: String = "ghoststorectl") async throws -> [(path: [String], command: Command)] {
        guard program != "ghoststorectl" else { return try await own.value }
        return try read(try await Program.run(try BuiltPrograms.path(program), dumpHelp))
    }

    private static func read(_ dump: ProgramResult) throws -> [(path: [String], command: Command)] {
        try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8)).command.all()
    }

    /// Returns the names of all long options that take a value. The value of each name is a command that has the
    /// option, as the words of its path.
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

    /// Returns every command without subcommands, such as `messages list`.
    static func leaves() async throws -> [String] {
        try await whole().filter { ($0.command.subcommands ?? []).isEmpty }.map { $0.path.joined(separator: " ") }
    }
}
