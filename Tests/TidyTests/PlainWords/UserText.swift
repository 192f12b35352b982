import Glibc

/// A text in the sources that users see.
///
/// Every string literal counts, except statements of SQL. Literals that users never see are mostly shorter than a
/// sentence, and short texts are not counted.
struct UserText {
    enum Kind: Hashable { case help, logLine, metric, message }

    var kind: Kind
    var line: Int
    var text: String

    private static let helpLabels: Set = ["help", "abstract", "discussion", "usage", "title"]
    private static let logLevels: Set = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
    private static let wordsOfSQL: Set = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "PRAGMA", "WHERE", "FROM", "VALUES", "SET", "AND", "JOIN",
        "ATTACH", "DROP", "REFERENCES", "SAVEPOINT", "BEGIN", "ALTER",
    ]

    /// Returns the texts of a file. Literals that `+` joins are one text.
    static func texts(in source: SwiftSource) -> [UserText] {
        let code = Array(source.codeLines.joined(separator: "\n").utf8)
        var texts: [UserText] = []
        var (line, lineEnd) = (1, 0)
        // The index of the last text, and the offset of its end. A `+` there continues the text.
        var (last, end) = (0, 0)
        for literal in source.literals {
            line += code[lineEnd..<literal.start].count { $0 == UInt8(ascii: "\n") }
            lineEnd = literal.start
            if end > 0, literal.start > end, isPlus(code[end..<literal.start]) {
                texts[last].text += literal.text
                end = literal.end
                continue
            }
            let kind = kind(path: source.path, Surroundings(of: literal.start, in: code))
            texts.append(UserText(kind: kind, line: line, text: literal.text))
            // A literal inside an interpolation does not end the text around it.
            if literal.start >= end { (last, end) = (texts.count - 1, literal.end) }
        }
        return texts.filter { wordsOfSQL.isDisjoint(with: PlainWordsRule.words(of: $0.text)) }
    }

    private static func isPlus(_ code: ArraySlice<UInt8>) -> Bool {
        code.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") } == [UInt8(ascii: "+")]
    }

    private static func kind(path: String, _ place: Surroundings) -> Kind {
        if helpLabels.contains(place.label) || place.call == "ArgumentHelp" { return .help }
        if path.contains("/Metrics/") { return .metric }
        let names = place.call.split(separator: ".").suffix(2).map(String.init)
        let isLog = names.count == 2 && ["logger", "log"].contains(names[0]) && logLevels.contains(names[1])
        return isLog ? .logLine : .message
    }
}

/// The code around a literal: the argument label before it, and the name of the call whose argument it is. Each is an
/// empty string if it is absent.
struct Surroundings {
    var label = ""
    var call = ""

    init(of start: Int, in code: [UInt8]) {
        let before = code[..<start].lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        if let before, code[before] == UInt8(ascii: ":") { label = Self.name(before: before, in: code, isPath: false) }
        var depth = 0
        for index in code[..<start].indices.reversed() {
            switch code[index] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                if depth == 0 {
                    call = code[index] == UInt8(ascii: "(") ? Self.name(before: index, in: code, isPath: true) : ""
                    return
                }
                depth -= 1
            default: break
            }
        }
    }

    private static func name(before end: Int, in code: [UInt8], isPath: Bool) -> String {
        let name = code[..<end].reversed().prefix {
            isalnum(Int32($0)) != 0 || $0 == UInt8(ascii: "_") || isPath && $0 == UInt8(ascii: ".")
        }
        return String(decoding: name.reversed(), as: UTF8.self)
    }
}
