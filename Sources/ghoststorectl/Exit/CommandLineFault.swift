import ArgumentParser

/// What is wrong with a command line before anything else about it: a word that is no command, or an option that the
/// command does not know. ArgumentParser may name what follows from it instead, such as an argument that is missing.
struct CommandLineFault {
    private let message: String
    private let command: [String]

    var failure: CommandFailure {
        let help = (["ghoststorectl", "help"] + command).joined(separator: " ")
        return CommandFailure(.usage, "\(message); hint: \(help)")
    }

    /// `nil` when there is none of these.
    static func first(in arguments: [String]) -> CommandLineFault? {
        guard let tree = CommandSyntax.whole else { return nil }
        var walk = Walk(node: tree)
        let words = arguments.prefix { $0 != "--" }
        for word in words {
            if let fault = walk.step(word) {
                return fault
            }
        }
        return walk.isAskingForHelp ? nil : walk.end()
    }

    /// From word to word down the tree of commands.
    private struct Walk {
        var node: CommandSyntax
        var path: [String] = []
        var isAskingForHelp = false
        private var isHelpTopic = false
        private var isValue = false

        init(node: CommandSyntax) {
            self.node = node
        }

        mutating func step(_ word: String) -> CommandLineFault? {
            guard !isValue else {
                isValue = false
                return nil
            }
            guard word.hasPrefix("-"), word != "-" else { return command(word) }
            let name = String(word.prefix { $0 != "=" })
            if ["-h", "--help", "--version"].contains(name) || name.hasPrefix("--experimental") {
                isAskingForHelp = true
                return nil
            }
            guard name.hasPrefix("--") || name.utf8.count == 2 else { return nil }
            guard let takesValue = node.options[name] else {
                return fault("unknown option '\(name)'", near: name, of: Array(node.options.keys))
            }
            isValue = takesValue && !word.contains("=")
            return nil
        }

        private mutating func command(_ word: String) -> CommandLineFault? {
            guard !node.commands.isEmpty else { return nil }
            if path.isEmpty, !isHelpTopic, word == "help" {
                isHelpTopic = true
                return nil
            }
            if let next = node.commands[word] {
                node = next
                path.append(word)
                return nil
            }
            return fault("unknown command '\(word)'", near: word, of: Array(node.commands.keys))
        }

        /// A group of commands alone does nothing.
        func end() -> CommandLineFault? {
            guard !node.commands.isEmpty, !isHelpTopic else { return nil }
            let names = node.commands.keys.filter { $0 != "help" }.sorted().joined(separator: ", ")
            return CommandLineFault(message: "a command is missing: one of \(names)", command: path)
        }

        private func fault(_ message: String, near word: String, of known: [String]) -> CommandLineFault {
            let guess = Spelling.nearest(to: word, of: known).map { ", did you mean '\($0)'?" } ?? ""
            return CommandLineFault(message: message + guess, command: path)
        }
    }
}

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

/// How far a word is from another.
enum Spelling {
    /// What was most likely meant: what differs in a third of its letters at most, or holds the whole word.
    static func nearest(to word: String, of known: [String]) -> String? {
        let bare = word.trimmingPrefix { $0 == "-" }
        let holding = known.filter { bare.utf8.count > 2 && $0.contains(bare) }.min {
            ($0.utf8.count, $0) < ($1.utf8.count, $1)
        }
        let nearest = known.map { (name: $0, distance: distance(word, $0)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let nearest, nearest.distance <= max(1, word.utf8.count / 3) else { return holding }
        return nearest.name
    }

    /// Letters to insert, remove or replace (Levenshtein).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let substitution = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

/// The words of the command line before they are parsed.
enum CommandLineWords {
    private static let timeOptions: Set<String> = ["--from", "--until", "--time"]

    /// `--from -1h` becomes `--from=-1h`: a word that begins with a dash would be taken for options.
    static func joiningSignedTimes(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            if let last = result.last, timeOptions.contains(last), !result.contains("--"),
                word.hasPrefix("-"), word.dropFirst().first?.isNumber == true
            {
                result[result.count - 1] = "\(last)=\(word)"
            } else {
                result.append(word)
            }
        }
        return result
    }
}
