import StoreBasics

@testable import ghoststorectl

/// Lines of `ghoststorectl import`.
///
/// Promises: a line is understood or refused, by itself and again the same way; refusing repeats none of it.
enum JSONLinesTarget {
    static func run(_ input: [UInt8]) throws {
        for (index, line) in input.split(separator: UInt8(ascii: "\n")).enumerated() {
            let first = parse(Array(line), UInt64(index + 1))
            try BrokenPromise.unless(first == parse(Array(line), UInt64(index + 1)), "a line has one meaning")
        }
    }

    /// What the line is, in words; `nil` where it is refused.
    private static func parse(_ line: [UInt8], _ number: UInt64) -> String? {
        do throws(JSONError) {
            let record = try ImportRecord.parse(line, lineNumber: number)
            _ = record.orderingKey
            return "\(record)"
        } catch {
            return nil
        }
    }

    static func seeds() throws -> [[UInt8]] {
        let dialogs = try ProjectFiles.text("Tests/Fixtures/dialogs-sample.jsonl").split(separator: "\n").prefix(20)
        let others = [
            #"{"kind":"message","id":"m1","session":"s","text":"a\u00e9\ud83d\ude00\\\"","timestamp_microseconds":1}"#,
            #"{"kind":"conversation","session":"s","display_name":"n","is_pinned":true}"#,
            #"{"kind":"contact","session":"c","name":null,"avatar":"AAEC"}"#,
            #"{"a":[1,-2.5e10,true,false,null,{"b":[]}]}"#,
        ]
        return dialogs.map { Array($0.utf8) } + others.map { Array($0.utf8) } + [
            Array(others.joined(separator: "\n").utf8)
        ]
    }
}
