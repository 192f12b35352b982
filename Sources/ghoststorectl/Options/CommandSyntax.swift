import ArgumentParser
import StoreBasics

/// A command with its options and arguments, as ArgumentParser describes them. ArgumentParser takes a millisecond to
/// describe one command and hundreds for all commands, so each is described only when needed.
final class CommandSyntax {
    private let subcommands: [any ParsableCommand.Type]
    private let argumentsType: (any ParsableArguments.Type)?

    /// The subcommands by name.
    lazy var commands = Dictionary(
        subcommands.map { ($0.configuration.commandName ?? "", CommandSyntax($0)) },
        uniquingKeysWith: { first, _ in first })
    private lazy var arguments = Arguments(argumentsType)

    /// The syntax of the program itself, from which all commands can be reached.
    static var root: CommandSyntax {
        let root = CommandSyntax(RootCommand.configuration.subcommands, taking: GlobalOptions.self)
        root.commands["help"] = CommandSyntax([], taking: nil)
        return root
    }

    /// Creates the syntax of a command. A command with subcommands has no options of its own.
    private convenience init(_ command: any ParsableCommand.Type) {
        let subcommands = command.configuration.subcommands
        self.init(subcommands, taking: subcommands.isEmpty ? command : nil)
    }

    private init(_ subcommands: [any ParsableCommand.Type], taking argumentsType: (any ParsableArguments.Type)?) {
        self.subcommands = subcommands
        self.argumentsType = argumentsType
    }

    /// The options with their dashes, each with true if a value must follow it on the command line.
    var options: [String: Bool] { arguments.options }

    /// The arguments as the usage line shows them.
    var usage: [String] { arguments.usage }
}

private struct Arguments {
    /// The options with their dashes, at first only the options that every command has.
    private(set) var options = ["-h": false, "--help": false, "--version": false]
    private(set) var usage: [String] = []

    init(_ type: (any ParsableArguments.Type)?) {
        guard let type, case .object(let dump)? = try? JSONParser.parse(Array(type._dumpHelp().utf8)) else { return }
        for argument in dump["command"]?.elements("arguments") ?? [] {
            usage += Self.usage(of: argument)
            for name in argument.elements("names") {
                guard let text = name.text("name") else { continue }
                let word = (name.text("kind") == "short" ? "-" : "--") + text
                options[word] = argument.text("kind") == "option"
            }
        }
    }

    private static func usage(of argument: JSONValue) -> [String] {
        let name = argument.object("preferredName")?.text("name") ?? ""
        guard argument.isTrue("shouldDisplay"), !["help", "version"].contains(name) else { return [] }
        let value = argument.text("valueName").map { "<\($0)>" } ?? ""
        let repeated = argument.isTrue("isRepeating") ? " ..." : ""
        let word =
            switch argument.text("kind") {
            case "positional": value + repeated
            case "option": "--\(name) \(value)\(repeated)"
            default: "--\(name)"
            }
        return [argument.isTrue("isOptional") ? "[\(word)]" : word]
    }
}

extension JSONValue {
    fileprivate func object(_ name: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[name]
    }

    fileprivate func isTrue(_ name: String) -> Bool {
        guard case .bool(true)? = object(name) else { return false }
        return true
    }

    fileprivate func elements(_ name: String) -> [JSONValue] {
        guard case .object(let fields) = self, case .array(let elements)? = fields[name] else { return [] }
        return elements
    }

    fileprivate func text(_ name: String) -> String? {
        guard case .object(let fields) = self, case .string(let text)? = fields[name] else { return nil }
        return text
    }
}

/// Walks through the words of a command line, down the tree of commands.
struct CommandLineWalk {
    enum Step {
        case known
        case unknownOption(String)
        case unknownCommand
    }

    private(set) var node = CommandSyntax.root
    private(set) var path: [String] = []
    /// The words that are neither commands nor options nor values of options.
    private(set) var operands: [String] = []
    private(set) var isAskingForHelp = false
    private(set) var isHelpTopic = false
    /// The option whose value is the next word.
    private var optionWithoutValue: String?

    mutating func step(_ word: String) -> Step {
        guard optionWithoutValue == nil else {
            optionWithoutValue = nil
            return .known
        }
        guard word.hasPrefix("-"), word != "-" else { return commandOrOperand(word) }
        let name = String(word.prefix { $0 != "=" })
        if ["-h", "--help", "--version"].contains(name) || name.hasPrefix("--experimental") {
            isAskingForHelp = true
            return .known
        }
        guard name.hasPrefix("--") || name.utf8.count == 2 else { return .known }
        guard let takesValue = node.options[name] else { return .unknownOption(name) }
        optionWithoutValue = takesValue && !word.contains("=") ? name : nil
        return .known
    }

    private mutating func commandOrOperand(_ word: String) -> Step {
        guard !node.commands.isEmpty else {
            operands.append(word)
            return .known
        }
        if path.isEmpty, !isHelpTopic, word == "help" {
            isHelpTopic = true
            return .known
        }
        guard let next = node.commands[word] else { return .unknownCommand }
        node = next
        path.append(word)
        return .known
    }
}
