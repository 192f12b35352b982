/// A function, initializer, deinitializer, subscript or computed property, with its length.
struct FoundFunction: Hashable {
    var name: String
    /// The line number of the declaration, from 1.
    var line: Int
    /// The number of lines from the declaration to the closing brace.
    var lineCount: Int
}

/// A search that finds functions by their keyword and counts the lines to the closing brace of their body.
enum FunctionFinder {
    /// Every line that begins a function contains one of these words. Other lines are skipped quickly.
    private static let keywords = ["func ", "init", "subscript", "var "]

    static func functions(in source: SwiftSource) -> [FoundFunction] {
        let opening =
            /(?:^|\s)(?:func\s+([^\s(<]+)|(init)[?(<]|(deinit)\s*\{|(subscript)\s*[(<]|var\s+(\w+)\s*:[^={]+\{\s*$)/
        return source.codeLines.enumerated().compactMap { index, line in
            guard keywords.contains(where: line.holds), let match = line.firstMatch(of: opening) else { return nil }
            let name = [match.1, match.2, match.3, match.4, match.5].compactMap { $0 }.first ?? ""
            return lineCount(source.codeLines[index...]).map {
                FoundFunction(name: String(name), line: index + 1, lineCount: $0)
            }
        }
    }

    /// Returns the number of lines up to the brace that closes the first body outside of parentheses; `nil` if there is
    /// no body, as in a protocol.
    private static func lineCount(_ lines: ArraySlice<String>) -> Int? {
        var parentheses = 0
        var braces = 0
        for (offset, line) in lines.enumerated() {
            for character in line.utf8 {
                switch character {
                case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
                case UInt8(ascii: "{") where parentheses == 0 || braces > 0: braces += 1
                case UInt8(ascii: "}") where braces > 0:
                    braces -= 1
                    if braces == 0 { return offset + 1 }
                case UInt8(ascii: "}") where parentheses == 0: return nil
                default: break
                }
            }
            if braces == 0, offset > 0 || parentheses == 0, startsNextDeclaration(lines, after: offset) { return nil }
        }
        return nil
    }

    private static func startsNextDeclaration(_ lines: ArraySlice<String>, after offset: Int) -> Bool {
        let next = lines.dropFirst(offset + 1).first?.drop { $0 == " " } ?? ""
        return nextDeclarations.contains(where: next.hasPrefix)
    }

    private static let nextDeclarations = [
        "public", "package", "internal", "private", "fileprivate", "static", "mutating", "func", "var", "let", "init",
        "case", "}", "@",
    ]
}
