/// The first fault of a command line: a word that is no command, or an option that the command does not know.
/// ArgumentParser may instead report a consequence of the fault, such as a missing argument.
struct CommandLineFault {
    private let message: String
    private let command: [String]
    /// The name that the person most likely meant.
    private let guess: String?
    /// True if the word begins with one dash, as a text may: "-5 degrees".
    private let mayBeText: Bool
    /// True if the only fault is that a group of commands was given alone. The program then prints the commands of the
    /// group.
    let isMissingCommand: Bool

    var failure: CommandFailure {
        let help = (["ghoststorectl", "help"] + command).joined(separator: " ")
        let other =
            if mayBeText {
                "put a text that begins with '-' after '--'"
            } else if command == ["search"] {
                "'ghoststorectl search messages QUERY' searches messages"
            } else {
                help
            }
        return CommandFailure(.usage, "\(message); hint: \(guess.map { "did you mean '\($0)'?" } ?? other)")
    }

    /// Returns the first fault; `nil` if the command line has no such fault.
    static func first(in arguments: [String]) -> CommandLineFault? {
        var walk = CommandLineWalk()
        for word in arguments.prefix(while: { $0 != "--" }) {
            switch walk.step(word) {
            case .known: continue
            case .unknownOption(let name):
                return CommandLineFault("unknown option '\(name)'", near: name, of: walk.node.options.keys, walk)
            case .unknownCommand:
                return CommandLineFault("unknown command '\(word)'", near: word, of: walk.node.commands.keys, walk)
            }
        }
        // A group of commands that is given alone is a fault, because it does nothing.
        guard !walk.isAskingForHelp, !walk.isHelpTopic, !walk.node.commands.isEmpty else { return nil }
        return CommandLineFault(
            message: "a command is missing", command: walk.path, guess: nil, isMissingCommand: true)
    }

    private init(
        message: String, command: [String], guess: String?, mayBeText: Bool = false, isMissingCommand: Bool = false
    ) {
        self.message = message
        self.command = command
        self.guess = guess
        self.mayBeText = mayBeText
        self.isMissingCommand = isMissingCommand
    }

    private init(_ message: String, near word: String, of known: some Collection<String>, _ walk: CommandLineWalk) {
        // Any two options of one letter are similar, so a guess would be worthless.
        let isLetter = word.hasPrefix("-") && word.count == 2
        self.init(
            message: message, command: walk.path,
            guess: isLetter ? nil : Spelling.nearest(to: word, of: Array(known)),
            mayBeText: word.hasPrefix("-") && !word.hasPrefix("--"))
    }
}

/// Measures how similar two words are.
enum Spelling {
    /// Returns the name that the person most likely meant. The name contains the whole word, or at most a third of the
    /// letters differ. Returns `nil` if no name is so similar.
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

    /// Returns the number of letters to insert, remove or replace (Levenshtein).
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
