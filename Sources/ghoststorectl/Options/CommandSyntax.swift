import ArgumentParser

/// The commands with their options, as ArgumentParser knows them.
struct CommandSyntax {
    /// Below this one, by name.
    private(set) var commands: [String: CommandSyntax] = [:]
    /// Each with its dashes, and whether a value follows it.
    private(set) var options: [String: Bool] = [:]

    static var whole: CommandSyntax? {
        guard case .object(let dump)? = try? JSONParser.parse(Array(RootCommand._dumpHelp().utf8)),
            let command = dump["command"]
        else { return nil }
        return CommandSyntax(command)
    }

    private init(_ json: JSONValue) {
        for argument in json.elements("arguments") {
            for name in argument.elements("names") {
                guard let text = name.text("name") else { continue }
                options[(name.text("kind") == "short" ? "-" : "--") + text] = argument.text("kind") == "option"
            }
        }
        for command in json.elements("subcommands") {
            if let name = command.text("commandName") {
                commands[name] = CommandSyntax(command)
            }
        }
    }
}

extension JSONValue {
    fileprivate func elements(_ name: String) -> [JSONValue] {
        guard case .object(let fields) = self, case .array(let elements)? = fields[name] else { return [] }
        return elements
    }

    fileprivate func text(_ name: String) -> String? {
        guard case .object(let fields) = self, case .string(let text)? = fields[name] else { return nil }
        return text
    }
}

/// From word to word of a command line down the tree of commands.
struct CommandLineWalk {
    enum Step {
        case known
        case unknownOption(String)
        case unknownCommand
    }

    private(set) var node: CommandSyntax
    private(set) var path: [String] = []
    /// The words that are neither commands nor options nor their values.
    private(set) var operands: [String] = []
    private(set) var isAskingForHelp = false
    private(set) var isHelpTopic = false
    private var isValue = false

    init?() {
        guard let tree = CommandSyntax.whole else { return nil }
        node = tree
    }

    mutating func step(_ word: String) -> Step {
        guard !isValue else {
            isValue = false
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
        isValue = takesValue && !word.contains("=")
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
