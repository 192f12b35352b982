import FoundationEssentials
import GhostTestSupport
import StoreBasics
import TestBasics
import Testing

@Suite struct ImportDamageTests {
    /// The expected exit statuses of an import: success, an invalid line, or a line that the store rejects.
    private static let known: Set<Int32?> = [0, 3, 4, 65]

    private static func fixture(_ name: String) throws -> [UInt8] {
        let path = "\(BuiltPrograms.packageDirectory)/Tests/Fixtures/\(name)"
        return [UInt8](try #require(FileManager.default.contents(atPath: path)))
    }

    @Test func `randomly changed lines are accepted or rejected, and never crash the program`() async throws {
        let dialogs = try Self.fixture("dialogs-sample.jsonl").split(separator: UInt8(ascii: "\n")).prefix(10)
        let records = try Self.fixture("import-records.jsonl")
        let odd = Array(#"{"a":[1,-2.5e10,true,false,null,{"b":[]}]}"#.utf8)
        let seeds = (dialogs + records.split(separator: UInt8(ascii: "\n"))).map { Array($0) } + [odd]
        var random = SplitMix(seed: 11)
        try await withControl { control, _ in
            // The seeds must be valid: an input that fails at its first field would not reach the code after it.
            let taken = try await control.run(["messages", "import", "-"], input: records)
            #expect(taken.exitCode == 0, "\(taken.errorOutput)")
            for _ in 0..<60 {
                let input = Mutated.input(of: seeds, &random)
                let result = try await control.run(["messages", "import", "-"], input: input)
                #expect(Self.known.contains(result.exitCode), "\(result.errorOutput): \(Hexadecimal.encode(input))")
            }
        }
    }

    static let refused = [
        #"{"kind":"PLANTED CONTENT"}"#, #"{"conversation_session_id":"s","text":"t","status":"PLANTED CONTENT"}"#,
        #"{"conversation_session_id":"s","text":"t","is_read":"PLANTED CONTENT"}"#,
        #"{"conversation_session_id":"s","text":"t","timestamp_microseconds":"PLANTED CONTENT"}"#,
        #"{"kind":"contact","session_id":"s","avatar":"PLANTED CONTENT"}"#, #"{"text":"PLANTED CONTENT"}"#,
        #"{"conversation_session_id":"PLANTED CONTENT"}"#, #"{"text":"PLANTED CONTENT","odd":1}"#,
        #"["PLANTED CONTENT"]"#, #""PLANTED CONTENT""#, #"{"text":"PLANTED CONTENT"#, #"{"text":"PLANTED CONTENT\x"}"#,
        "PLANTED CONTENT", #"{"text":PLANTED CONTENT}"#, #"{"dialog_id":"PLANTED CONTENT","dialogue":[1]}"#,
    ]

    @Test func `the error about a rejected line contains no value of the line`() async throws {
        try await withControl { control, _ in
            for line in Self.refused {
                let result = try await control.run("messages", "import", "-", input: line)
                #expect(result.exitCode == 65, "\(line): \(result.errorOutput)")
                #expect(!(result.output + result.errorOutput).contains("PLANTED"), "\(result.errorOutput)")
            }
        }
    }
}
