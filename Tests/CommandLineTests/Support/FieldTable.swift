import FoundationEssentials
import GhostTestSupport

/// The table of docs/cli.md that lists the fields that `--json` prints.
struct FieldTable {
    struct Row {
        let commands: Set<String>
        /// Fields that are always printed.
        let required: Set<String>
        /// All fields, including those that may be absent.
        let all: Set<String>
    }

    let rows: [Row]

    init() throws {
        let path = "\(BuiltPrograms.packageDirectory)/docs/cli.md"
        guard let content = FileManager.default.contents(atPath: path) else {
            throw TestSupportError("there is no docs/cli.md")
        }
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        let section = lines.drop { !$0.hasPrefix("### Fields of `--json`") }.dropFirst().prefix { !$0.hasPrefix("#") }
        rows = section.filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|")
            let parts = cells[1].split(separator: ";", maxSplits: 1)
            return Row(
                commands: Self.words(cells[0]), required: Self.words(parts[0]),
                all: Self.words(cells[1]))
        }
    }

    /// Returns the texts between backticks.
    private static func words(_ text: Substring) -> Set<String> {
        Set(text.matches(of: /`([^`]+)`/).map { String($0.1) })
    }
}
