import ArgumentParser

/// The commands with their options, as ArgumentParser knows them.
struct CommandSyntax: Sendable {
    /// Below this one, by name.
    private(set) var commands: [String: CommandSyntax] = [:]
    /// Each with its dashes, and whether a value follows it.
    private(set) var options: [String: Bool] = [:]
    /// What may stand at a place: the name of an option whose value it is, or `positional@0` for the first operand.
    private(set) var offers: [String: Offer] = [:]
    /// Its arguments as a line that tells the usage has them.
    private(set) var usage: [String] = []
    private var operandCount = 0
    private var isLastRepeating = false

    enum Offer: Sendable {
        case values([String])
        /// Of this machine.
        case files
        /// What the daemon knows.
        case live
    }

    static let whole: CommandSyntax? = {
        guard case .object(let dump)? = try? JSONParser.parse(Array(RootCommand._dumpHelp().utf8)),
            let command = dump["command"]
        else { return nil }
        return CommandSyntax(command)
    }()

    private init(_ json: JSONValue) {
        for argument in json.elements("arguments") {
            let offer = argument.object("completionKind").flatMap(Offer.init)
            usage += Self.usage(of: argument)
            if argument.text("kind") == "positional" {
                offers["positional@\(operandCount)"] = offer
                operandCount += 1
                isLastRepeating = argument.isTrue("isRepeating")
            }
            for name in argument.elements("names") {
                guard let text = name.text("name") else { continue }
                let word = (name.text("kind") == "short" ? "-" : "--") + text
                options[word] = argument.text("kind") == "option"
                offers[word] = offer
            }
        }
        for command in json.elements("subcommands") {
            if let name = command.text("commandName") {
                commands[name] = CommandSyntax(command)
            }
        }
    }
}

extension CommandSyntax {
    fileprivate static func usage(of argument: JSONValue) -> [String] {
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

    /// Where an operand stands among those of the command; `nil` for one too many.
    func place(ofOperand index: Int) -> String? {
        guard operandCount > 0, index < operandCount || isLastRepeating else { return nil }
        return "positional@\(min(index, operandCount - 1))"
    }
}

extension CommandSyntax.Offer {
    fileprivate init?(_ kind: JSONValue) {
        guard case .object(let fields) = kind else { return nil }
        if let list = fields["list"] {
            self = .values(
                list.elements("values").compactMap { value in
                    guard case .string(let text) = value else { return nil }
                    return text
                })
        } else if fields["file"] != nil {
            self = .files
        } else {
            self = .live
        }
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
    /// The option whose value is the next word.
    private(set) var optionWithoutValue: String?

    init?() {
        guard let tree = CommandSyntax.whole else { return nil }
        node = tree
    }

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
