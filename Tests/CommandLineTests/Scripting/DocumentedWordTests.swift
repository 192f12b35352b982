import FoundationEssentials
import GhostTestSupport
import Testing

/// Checks the commands in the prose and tables of documents, which no other test runs: the program knows all their
/// words.
@Suite struct DocumentedWordTests {
    private static let documents = [
        "README.md", "CONTRIBUTING.md", "SECURITY.md", "clients/python/README.md", "systemd/README.md",
    ]

    /// Returns the code spans in the text of a document that begin with a program, split into words.
    private static func commands(of program: String, in text: String) -> [[Substring]] {
        let paragraphs = text.replacing(/(?m)^```(?s:.*?)^```/, with: "").split(separator: "\n\n")
        return paragraphs.flatMap { paragraph in
            paragraph.matches(of: /`([^`]+)`/).compactMap { match -> [Substring]? in
                let words = match.1.split(whereSeparator: \.isWhitespace)
                return words.first == program[...] ? Array(words.dropFirst()) : nil
            }
        }
    }

    /// Returns the first word that is neither a known command nor an option of the command before it. Returns `nil` if
    /// all words are known.
    private static func unknownWord(_ words: [Substring], _ tree: [[String]: Set<String>]) -> Substring? {
        var path: [String] = []
        var options = tree[path] ?? []
        var isInPath = true
        for word in words {
            guard word != "|", word != ">", word != "<" else { break }
            if word.hasPrefix("--"), word.count > 2 {
                let name = word.prefix { $0.isLetter || $0 == "-" }
                guard options.contains(String(name)) else { return word }
            } else if isInPath, !word.hasPrefix("-") {
                if let below = tree[path + [String(word)]] {
                    path.append(String(word))
                    options.formUnion(below)
                    continue
                }
                let hasCommands = tree.keys.contains { $0.count == path.count + 1 && $0.starts(with: path) }
                guard !hasCommands || word.hasPrefix("<") || word == "…" || word == "help" else { return word }
                isInPath = false
            }
        }
        return nil
    }

    private static func tree(of program: String) async throws -> [[String]: Set<String>] {
        let all = try await CommandTree.whole(of: program)
        let entries = all.map { ($0.path, Set(($0.command.arguments ?? []).flatMap(\.words))) }
        return Dictionary(entries) { first, _ in first }
    }

    @Test func `every command in sentences and tables exists, with its options`() async throws {
        let tree = try await Self.tree(of: "ghoststorectl")
        let root = BuiltPrograms.packageDirectory
        let below = try ["docs", "proto-docs"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").map { "\(folder)/\($0)" }
        }
        var count = 0
        for path in Self.documents + below.filter({ $0.hasSuffix(".md") }) {
            for words in Self.commands(of: "ghoststorectl", in: try RepositoryFiles.text(path)) {
                count += 1
                let unknown = Self.unknownWord(words, tree)
                #expect(unknown == nil, "\(path): ghoststorectl \(words.joined(separator: " "))")
            }
        }
        #expect(count > 30)
    }

    @Test func `an unknown command and an unknown option are found`() async throws {
        let tree = try await Self.tree(of: "ghoststorectl")
        let text = """
            Run `ghoststorectl backup prune --keep-last 3 --json`, or `ghoststorectl files ls
            document/notes --wide`, or `ghoststorectl <command>`; `make ghoststorectl` is none.

            | `ghoststorectl backup burn` | `ghoststorectl files ls --gone x` |

            ```sh
            ghoststorectl fenced
            ```
            """
        let commands = Self.commands(of: "ghoststorectl", in: text)
        #expect(commands.map { Self.unknownWord($0, tree) } == [nil, nil, nil, "burn", "--gone"])
    }
}
