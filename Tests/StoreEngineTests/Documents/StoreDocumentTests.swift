import CSQLCipher
import Glibc
import SQLCipher
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that proto-docs/STORE.md contains all that a person needs to read the files of a store.
@Suite struct StoreDocumentTests {
    private static let hasProgram = system("command -v sqlcipher > /dev/null") == 0
    private static let count = 20

    @Test func `a killed store and a backup open with the commands and pragmas of the document`() throws {
        let document = try StoreDocument()
        let found = try Found()
        let pragmas = try document.pragmas(ofMajorVersion: LibraryVersions.loaded().sqlCipherMajor)
        for part in ["A store", "A backup"] {
            try found.run(try document.commands(of: part))
            let opening = pragmas.replacing("DATABASE_KEY", with: found.key)
            let messages = RawDatabase.integer("SELECT count(*) FROM messages", in: found.copy, opening)
            #expect(messages == Self.count, "\(part)")
            #expect(RawDatabase.integer("PRAGMA user_version", in: found.copy, opening) == Schema.version)
        }
    }

    @Test func `every pragma of the document is necessary`() throws {
        let document = try StoreDocument()
        let found = try Found()
        try found.run(try document.commands(of: "A backup"))
        let pragmas = try document.pragmas(ofMajorVersion: LibraryVersions.loaded().sqlCipherMajor)
            .replacing("DATABASE_KEY", with: found.key)
        let lines = pragmas.split(separator: "\n")
        #expect(lines.count >= 2)
        for index in lines.indices {
            let fewer = lines.indices.filter { $0 != index }.map { String(lines[$0]) }.joined(separator: "\n")
            #expect(RawDatabase.integer("SELECT count(*) FROM messages", in: found.copy, fewer) == nil, "\(index)")
        }
    }

    @Test(.enabled(if: hasProgram, "the program sqlcipher is not installed"))
    func `the program sqlcipher shows the messages with the commands of the document`() throws {
        let document = try StoreDocument()
        let found = try Found()
        try found.run("sqlcipher :memory: 'PRAGMA cipher_version' > version")
        let major = try #require(try found.text("version").first?.wholeNumberValue)
        for part in ["A store", "A backup"] {
            try found.run(try document.commands(of: part))
            try found.write(document.pragmas(ofMajorVersion: major), to: "open.sql")
            try found.run("sed -i \"s/DATABASE_KEY/$KEY/\" open.sql")
            try found.run("{\n\(try document.commands(of: "To read the messages"))\n} > messages")
            let lines = try found.text("messages").split(separator: "\n").filter { $0.contains("|") }
            #expect(lines.map { $0.prefix { $0 != "|" } } == (0..<Self.count).map { "m\($0)" })
        }
    }

    @Test func `the tables in the document are the tables of a store`() throws {
        let store = try TemporaryStore()
        let statements = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            let rows = try connection.rows(
                StatementText("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"))
            var statements: [String] = []
            while try rows.next() {
                statements.append(try rows.text(0))
            }
            return statements
        }
        let documented = try StoreDocument().tables
        // The statements are sorted, because a step of the schema may have created some tables again, which are then
        // last.
        #expect(documented.sorted() == statements.map(StoreDocument.normalized).sorted())
        #expect(documented.count > 10)
    }

    @Test func `the numbers of kinds, operations and statuses are those in the document`() throws {
        let document = try StoreDocument()
        #expect(document.numbers(underHeading: "| kind |") == EntityKind.allCases.map { Int($0.rawValue) })
        #expect(document.numbers(underHeading: "| operation |") == ChangeOperation.allCases.map { Int($0.rawValue) })
        for operation in ChangeOperation.allCases {
            #expect(document.text.contains("| \(operation.rawValue) | \(operation) |"))
        }
        let statuses = MessageStatus.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", ")
        #expect(document.text.contains("-- \(statuses)\n"))
        let kinds = [
            "0 messages of conversations that no group knows of", "1 messages of other conversations",
            "2 log_entries of logs", "3 displaced log_entries", "4 reactions", "5 attachments of lists",
            "9 files of directories", "10 chunks of contents", "11 entries of replica_logs",
            "12 members of conversations",
        ]
        #expect(document.text.contains("-- \(kinds.joined(separator: ", "))\n"))
        #expect(Leftovers.Kind.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 9, 10, 11, 12])
    }

    /// An open store with `StoreDocumentTests.count` messages, and its backup. The files are copied without closing the
    /// store, so they are as after a kill.
    private struct Found {
        let store: TemporaryStore
        let backup: BackupInfo
        let key: String
        private let folder: TemporaryDirectory
        var copy: String { folder.file("store.sqlite") }

        init() throws {
            store = try TemporaryStore()
            folder = try TemporaryDirectory()
            try store.engine.saveNumbered(0..<StoreDocumentTests.count)
            backup = try store.engine.backUp()
            key = try #require(
                try store.engine.keys.withDatabaseKey { key in key.map { String(decoding: $0, as: UTF8.self) } })
        }

        /// Runs commands of the document in a separate folder.
        func run(_ commands: String) throws {
            let script = """
                set -e; cd '\(folder.path)'
                STATE='\(store.statePath)'; BACKUP='\(store.backupPath(backup.name))'; KEY="\(key)"
                \(commands)
                """
            try write(script, to: "commands")
            let status = system("sh '\(folder.file("commands"))'")
            #expect(status == 0, "\(commands)")
        }

        func write(_ text: String, to name: String) throws {
            try TestFile.write(Array(text.utf8), to: folder.file(name))
        }

        func text(_ name: String) throws -> String {
            String(decoding: try TestFile.read(folder.file(name)), as: UTF8.self)
        }
    }
}

/// The parsed document proto-docs/STORE.md.
private struct StoreDocument {
    let text: String

    init() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        text = String(decoding: try TestFile.read("/\(root)/proto-docs/STORE.md"), as: UTF8.self)
    }

    func pragmas(ofMajorVersion version: Int) throws -> String {
        try block("sql", after: "With SQLCipher \(version):")
    }

    /// Returns the commands of one part of the document.
    ///
    /// - Parameter part: the beginning of the text before the commands.
    func commands(of part: String) throws -> String {
        try block("sh", after: "\n\(part == "To read the messages" ? part : "**\(part):**")")
    }

    /// The statements that create the tables, without comments.
    var tables: [String] {
        get throws {
            Self.normalized(try block("sql", after: "## Tables")).split(separator: ";")
                .map { Self.normalized(String($0)) }
        }
    }

    /// Returns a statement in one line without comments, in the form that SQLite stores after a column was added.
    static func normalized(_ statement: String) -> String {
        statement.replacing(/\s*--[^\n]*/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(" , ", with: ", ").replacing(/([^ ])\)( WITHOUT ROWID|)$/) { "\($0.1) )\($0.2)" }
    }

    /// Returns the numbers in the first column of the table below a heading.
    func numbers(underHeading heading: String) -> [Int] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix(heading) }
            .dropFirst(2)
        return lines.prefix { $0.hasPrefix("|") }.compactMap { Int($0.split(separator: " ")[1]) }
    }

    private func block(_ language: String, after words: String) throws -> String {
        let place = try #require(text.firstRange(of: words), "\(words)")
        let rest = text[place.upperBound...]
        let start = try #require(rest.firstRange(of: "```\(language)\n"))
        let end = try #require(rest[start.upperBound...].firstRange(of: "\n```"))
        return String(rest[start.upperBound..<end.lowerBound])
    }
}

/// A database that is opened with SQL statements only, as a person does it.
private enum RawDatabase {
    /// Returns the result of a query; `nil` if the file cannot be opened or the query returns no row.
    static func integer(_ query: String, in path: String, _ opening: String) -> Int? {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_exec(handle, opening, nil, nil, nil) == SQLITE_OK
        else { return nil }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return Int(sqlite3_column_int64(statement, 0))
    }
}
