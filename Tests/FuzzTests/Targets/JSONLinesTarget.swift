import StoreBasics
import StoreClient

@testable import ghoststorectl

/// Reads lines of `ghoststorectl messages import` and of archives in JSON Lines form.
///
/// Promises: whether a line is accepted does not depend on other lines, and is the same each time; an error message
/// repeats no value of the line; if a line is a record of an archive, encoding the decoded record gives the same
/// record.
enum JSONLinesTarget {
    private enum Meaning: Equatable {
        /// The decoded record as text.
        case understood(String)
        case refused(String)
    }

    static func run(_ input: [UInt8]) throws {
        for (index, line) in input.split(separator: UInt8(ascii: "\n")).enumerated() {
            let meaning = parse(Array(line), UInt64(index + 1))
            try BrokenPromise.unless(meaning == parse(Array(line), UInt64(index + 1)), "a line has one meaning")
            if case .refused(let message) = meaning {
                try BrokenPromise.unless(!repeats(message, Array(line)), "refusing repeats no value")
            }
            try rewriteRecord(Array(line))
        }
    }

    private static func rewriteRecord(_ line: [UInt8]) throws {
        let promise = "a record that is read is written as it was"
        do {
            let record = try ArchiveRecord(json: String(decoding: line, as: UTF8.self))
            let again = try ArchiveRecord(json: record.json)
            try BrokenPromise.unless(again == record, promise)
        } catch {
            guard let error = error as? StoreClientError else { throw error }
            try BrokenPromise.unless(error.reason == .jsonUnreadable, promise)
            try BrokenPromise.unless(!repeats(error.message, line), "refusing repeats no value")
        }
    }

    private static func parse(_ line: [UInt8], _ number: UInt64) -> Meaning {
        do throws(JSONError) {
            let record = try ImportRecord.parse(line, lineNumber: number)
            _ = record.orderingKey
            return .understood("\(try withoutInventions(record, line))")
        } catch {
            return .refused(error.message)
        }
    }

    /// Removes values that the import generates and that differ each time: the id and the time of a message whose line
    /// has none, and the id of a contact whose line has none.
    private static func withoutInventions(_ record: ImportRecord, _ line: [UInt8]) throws(JSONError) -> ImportRecord {
        let fields = try JSONRecord(line: line)
        let hasID = try fields.optionalText("id") != nil
        switch record {
        case .message(var imported):
            if !hasID {
                imported.message.id = ""
            }
            if try fields.optionalInteger("timestamp_microseconds") == nil {
                imported.message.timestamp = Timestamp(microseconds: 0)
            }
            return .message(imported)
        case .contact(var update):
            if !hasID {
                update.id = ""
            }
            return .contact(update)
        case .conversation, .dialog:
            return record
        }
    }

    /// Returns true if the error message repeats a text of the line. Short texts, field names (which error messages may
    /// show) and texts that could be the error message's own words do not count.
    private static func repeats(_ message: String, _ line: [UInt8]) -> Bool {
        guard case .object(let fields)? = try? JSONParser.parse(line) else { return false }
        return fields.values.contains { value in
            guard case .string(let text) = value, text.utf8.count >= 12 else { return false }
            let isWord = text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "_', ;:".utf8.contains(byte)
            }
            return !isWord && !fields.keys.contains { $0.contains(text) } && message.contains(text)
        }
    }

    static func seeds() throws -> [[UInt8]] {
        func lines(_ name: String) throws -> [Substring] {
            try ProjectFiles.text("Tests/Fixtures/\(name)").split(separator: "\n")
        }
        let dialogs = try lines("dialogs-sample.jsonl").prefix(20)
        let records = try ProjectFiles.text("proto-docs/vectors/archives/lines/archive.jsonl").split(separator: "\n")
        // `ImportDamageTests` checks that the import accepts the lines of import-records.jsonl, because a line whose
        // first field is rejected is useless as a seed.
        let others =
            try lines("import-records.jsonl") + [
                #"{"id":"m3","conversation_id":"c","text":""}"#, #"{"a":[1,-2.5e10,true,false,null,{"b":[]}]}"#,
            ]
        return (dialogs + records).map { Array($0.utf8) } + others.map { Array($0.utf8) } + [
            Array(others.joined(separator: "\n").utf8)
        ]
    }
}
