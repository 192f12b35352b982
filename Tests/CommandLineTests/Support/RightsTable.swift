import FoundationEssentials
import GhostTestSupport

/// The table of docs/cli.md that lists the rights that each command needs.
struct RightsTable {
    /// The rights by command. The key includes the qualifying words of the table, as in `messages import of contacts`.
    let rights: [String: String]

    init() throws {
        let path = "\(BuiltPrograms.packageDirectory)/docs/cli.md"
        guard let content = FileManager.default.contents(atPath: path) else {
            throw TestSupportError("there is no docs/cli.md")
        }
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        let section = lines.drop { $0 != "## Rights" }.dropFirst().prefix { !$0.hasPrefix("#") }
        var rights: [String: String] = [:]
        for line in section.filter({ $0.hasPrefix("| `") }) {
            let cells = line.split(separator: "|").map { cell in
                String(cell.filter { $0 != "`" }.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            for command in cells[0].split(separator: ", ") {
                rights[String(command)] = cells[1]
            }
        }
        self.rights = rights
    }
}
