import FoundationEssentials
import StoreProtocol

/// The tables of proto-docs/PROTOCOL.md, and the comments of the `.proto` files.
enum ProtocolDocument {
    static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: root.appending(path: "proto-docs/" + path)), as: UTF8.self)
    }

    /// Returns every table of PROTOCOL.md as rows of cells.
    private static func tables() throws -> [[[String]]] {
        try text("PROTOCOL.md").split(separator: "\n", omittingEmptySubsequences: false).split { !$0.hasPrefix("|") }
            .map { lines in
                lines.filter { $0.hasPrefix("| ") }.map { line in
                    line.split(separator: "|").map { cell in
                        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                    }
                }
            }
    }

    /// Returns the rows of all tables of PROTOCOL.md, including the rows with column titles.
    static func rows() throws -> [[String]] {
        try tables().flatMap { $0 }
    }

    /// Returns the rows of the table with these column titles.
    static func table(_ titles: [String]) throws -> [[String]] {
        try tables().first { $0.first == titles }.map { Array($0.dropFirst()) } ?? []
    }

    /// Returns the result of each call, which the comment of the call's request states. Progress that comes first is
    /// not the result.
    static func results() throws -> [CallKind: String] {
        let service = try text("ghoststore/v1/service.proto")
        let files = try Set(service.matches(of: /import "ghoststore\/v1\/(\w+\.proto)"/).map { String($0.output.1) })
            .map { try text("ghoststore/v1/" + $0) }
        var ofMessages: [Substring: String] = [:]
        for match in (files + [service]).joined(separator: "\n").matches(of: /((?:\/\/.*\n)+)message (\w+) \{/) {
            let comment = match.output.1.split(separator: "\n").map { $0.dropFirst(3) }.joined(separator: " ")
            if let named = comment.firstMatch(of: /Answers?: (?:progress, then )?([a-z_]+)/) {
                ofMessages[match.output.2] = String(named.output.1)
            }
        }
        return CallKind.allCases.reduce(into: [:]) { results, kind in
            let field = service.matches(of: /(\w+Request) (\w+) = \d+;/).first { $0.output.2 == kind.name }
            results[kind] = field.flatMap { ofMessages[$0.output.1] }
        }
    }
}
