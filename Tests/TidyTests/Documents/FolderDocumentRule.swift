/// The rule that a README in a folder of sources contains only names that exist.
///
/// Names are spans in backticks: paths, and types with their members. Other spans, such as functions and values, are
/// not checked.
struct FolderDocumentRule {
    static let lineCounts = 10...30
    private static let fileEndings = [".swift", ".md", ".proto", ".h", ".c", ".toml", ".yaml", ".docc"]

    private var declaredTypes: Set<Substring>
    private var words: Set<Substring> = []
    private let exists: (String) -> Bool

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - modules: names that count as types without a declaration.
    ///   - exists: returns true if the repository has a file or folder at a path.
    init(sources: [SwiftSource], modules: Set<String>, exists: @escaping (String) -> Bool) {
        declaredTypes = Set(modules.map { Substring($0) })
        for source in sources {
            declaredTypes.formUnion(source.declaredTypes)
            for line in source.codeLines {
                words.formUnion(line.words)
            }
        }
        self.exists = exists
    }

    func findings(_ text: String, path: String) -> [Finding] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.matches(of: /`([^`]+)`/).filter { !isKnown($0.1, in: path) }.map {
                Finding(path: path, line: index + 1, message: "\($0.1) does not exist")
            }
        }
    }

    private func isKnown(_ name: Substring, in path: String) -> Bool {
        if name.contains("/") || Self.fileEndings.contains(where: name.hasSuffix) {
            return isFile(name, in: path)
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isType =
            name.first?.isUppercase == true && name.contains(where: \.isLowercase)
            && parts.allSatisfy { $0.wholeMatch(of: /\w+/) != nil }
        guard isType else { return true }
        let isFound = declaredTypes.contains(parts[0]) || parts.count == 1 && isFile(name, in: path)
        return isFound && parts.dropFirst().allSatisfy(words.contains)
    }

    /// Returns true if a name is a file or folder. The name may be relative to the README's folder, to a folder above
    /// it, or to the repository. A Swift file needs no ending.
    private func isFile(_ name: Substring, in path: String) -> Bool {
        let folders = path.split(separator: "/").dropLast()
        return (0...folders.count).contains { depth in
            let place = (folders.prefix(depth) + [name]).joined(separator: "/")
            return exists(place) || exists(place + ".swift")
        }
    }
}
