/// One `import` line.
struct ModuleImport: Hashable {
    var module: String
    var line: Int
    var isPublic: Bool
    var isExported: Bool
}

extension SwiftSource {
    /// Every import of the file, including imports inside `#if`.
    var imports: [ModuleImport] {
        let pattern =
            #/
            ^\s*((?:@\w+(?:\([^)]*\))?\s+)*)
            (?:(public|package|internal|fileprivate|private)\s+)?
            import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)
            /#
        return codeLines.enumerated().compactMap { index, line in
            guard line.holds("import"), let match = line.firstMatch(of: pattern) else { return nil }
            return ModuleImport(
                module: String(match.3), line: index + 1, isPublic: match.2 == "public",
                isExported: match.1.contains("@_exported"))
        }
    }
}
