/// The links, headings and fenced blocks of a Markdown file.
struct MarkdownFile {
    let path: String
    private let lines: [String]
    /// For each line, the info word of the fenced block that contains it ("" for a plain fence); `nil` outside of
    /// fences.
    private let fences: [String?]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var open: String?
        fences = lines.map { line in
            guard let match = line.firstMatch(of: /^\s*```(\S*)/) else { return open }
            open = open == nil ? String(match.1) : nil
            return "fence"
        }
    }

    struct Link: Hashable {
        var target: String
        var line: Int
    }

    /// The links in the prose. Links in code are left out, because they are examples.
    var links: [Link] {
        lines.indices.filter { fences[$0] == nil }.flatMap { index in
            lines[index].replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map {
                Link(target: String($0.1), line: index + 1)
            }
        }
    }

    /// The anchors that GitHub creates for the headings.
    var anchors: Set<String> {
        Set(
            lines.indices.filter { fences[$0] == nil && lines[$0].hasPrefix("#") }.map { index in
                lines[index].drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .replacing(" ", with: "-")
            })
    }

    /// Returns the fenced blocks in `language`, in order.
    func blocks(_ language: String) -> [String] {
        var found: [String] = []
        var isInside = false
        for (line, fence) in zip(lines, fences) {
            if fence == language {
                if !isInside { found.append("") }
                found[found.count - 1] += line + "\n"
            }
            isInside = fence == language
        }
        return found
    }
}
