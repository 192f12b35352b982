/// The rule for relative links: each leads to a file of this repository and, after `#`, to a heading of that file.
enum LinkRule {
    static func findings(
        _ file: MarkdownFile, exists: (String) -> Bool, anchors: (String) throws -> Set<String>
    ) rethrows -> [Finding] {
        try file.links.compactMap { link in
            guard !link.target.contains("://"), !link.target.hasPrefix("mailto:") else { return nil }
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let path = parts[0].isEmpty ? file.path : resolve(String(parts[0]), from: file.path)
            guard exists(path) else {
                return Finding(path: file.path, line: link.line, message: "\(link.target) does not exist")
            }
            guard parts.count == 2, path.hasSuffix(".md") else { return nil }
            return try anchors(path).contains(String(parts[1]))
                ? nil : Finding(path: file.path, line: link.line, message: "\(link.target) names no heading")
        }
    }

    /// Returns the path of a link relative to the root of the repository.
    ///
    /// - Parameters:
    ///   - link: the target of the link, relative to the folder of `path`.
    ///   - path: the file that contains the link.
    static func resolve(_ link: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
