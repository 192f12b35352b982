import ArgumentParser
import FoundationEssentials
import Glibc

/// What may stand where the cursor is: commands, options and their values, and what the daemon knows.
struct ShellCompletion {
    private let words: [String]
    private let begun: String
    private let quote: Unicode.Scalar?
    /// Behind a backslash nothing can be put in that would be a part of the word as it is.
    private let isEscaped: Bool

    /// - Parameter front: of the line, up to the cursor.
    init(_ front: String) {
        let command = ShellWords.last(front)
        let all = command.words.first == "ghoststorectl" ? Array(command.words.dropFirst()) : command.words
        begun = command.isLastOpen ? all.last ?? "" : ""
        words = command.isLastOpen ? all.dropLast() : all
        quote = command.openQuote
        isEscaped = command.isEscaped
    }

    /// Whole words that begin with what is typed, and what is missing of the word where all agree on it.
    func find() async -> (candidates: [String], missing: String) {
        isEscaped ? ([], "") : completed(by: await offered())
    }

    /// - Parameter words: what may stand there, whatever is typed.
    func completed(by words: [String]) -> (candidates: [String], missing: String) {
        // By scalars: a mark behind what is typed makes another Character of it, and a name may be composed otherwise.
        let candidates = Set(words.map(ScalarText.init)).map(\.text)
            .filter { $0.unicodeScalars.starts(with: begun.unicodeScalars) }.sorted()
        guard let first = candidates.first else { return ([], "") }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let rest = String(String.UnicodeScalarView(common.unicodeScalars.dropFirst(begun.unicodeScalars.count)))
        let missing = rest.quoted(within: quote)
        guard candidates.count == 1, common.unicodeScalars.last != "/" else { return (candidates, missing) }
        return (candidates, missing + (quote.map(String.init) ?? "") + " ")
    }

    private func offered() async -> [String] {
        var walk = CommandLineWalk()
        for word in words {
            _ = walk.step(word)
        }
        if begun.hasPrefix("-"), walk.optionWithoutValue == nil {
            return walk.node.options.keys.filter { $0.hasPrefix("--") }
        }
        guard walk.node.commands.isEmpty || walk.optionWithoutValue != nil else { return commands(walk) }
        guard let place = walk.optionWithoutValue ?? walk.node.place(ofOperand: walk.operands.count) else { return [] }
        switch walk.node.offer(at: place) {
        case .values(let values): return values
        case .files: return files()
        case .live: return await live(walk.path, place)
        case nil: return []
        }
    }

    private func commands(_ walk: CommandLineWalk) -> [String] {
        let own = walk.path.isEmpty && !walk.isHelpTopic ? ["help", "exit"] : []
        return walk.node.commands.keys.filter { !["help", "shell"].contains($0) } + own
    }

    /// Of this machine, in the folder that is begun.
    private func files() -> [String] {
        let folder = begun.lastIndex(of: "/").map { String(begun[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return names.map { name in
            var facts = stat()
            let isFolder = stat(folder + name, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            // Else it would be an option.
            let isLikeOption = folder.isEmpty && name.utf8.first == UInt8(ascii: "-")
            return (isLikeOption ? "./" : folder) + name + (isFolder ? "/" : "")
        }
    }

    /// The way that the scripts for bash, zsh and fish ask.
    private func live(_ path: [String], _ place: String) async -> [String] {
        let line = ["ghoststorectl"] + words + [begun]
        do {
            _ = try await RootCommand.asyncParseAsRoot(
                ["---completion"] + path + ["--", place, "\(line.count - 1)", "0"] + line)
            return []
        } catch {
            guard RootCommand.exitCode(for: error) == .success else { return [] }
            return RootCommand.fullMessage(for: error).split(separator: "\n").map(String.init)
        }
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(String.UnicodeScalarView(zip(unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.map(\.0)))
    }
}

/// A text that is another where it is composed otherwise.
private struct ScalarText: Hashable {
    let text: String

    static func == (left: ScalarText, right: ScalarText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(Array(text.utf8))
    }
}
