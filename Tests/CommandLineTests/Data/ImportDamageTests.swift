import FoundationEssentials
import GhostTestSupport
import StoreBasics
import TestBasics
import Testing

@Suite struct ImportDamageTests {
    /// Exit statuses of an import: done, a line that is none, a store that refuses what a line says.
    private static let known: Set<Int32?> = [0, 3, 4, 65]

    @Test func `lines changed in any way are taken or refused, and never end the program`() async throws {
        let sample = "\(BuiltPrograms.packageDirectory)/Tests/Fixtures/dialogs-sample.jsonl"
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: sample)))
        var seeds = bytes.split(separator: UInt8(ascii: "\n")).prefix(10).map { Array($0) }
        seeds += [
            #"{"kind":"message","id":"m1","session":"s","text":"a\u00e9\ud83d\ude00\\\"","timestamp_microseconds":1}"#,
            #"{"kind":"conversation","session_id":"s","display_name":"n","is_pinned":true}"#,
            #"{"kind":"contact","session_id":"c","name":null,"avatar":"AAEC"}"#,
            #"{"a":[1,-2.5e10,true,false,null,{"b":[]}]}"#,
        ].map { Array($0.utf8) }
        var random = SplitMix(seed: 11)
        try await withControl { control, _ in
            for _ in 0..<60 {
                let input = Mutated.input(of: seeds, &random)
                let result = try await Program.run(
                    Control.path, ["messages", "import", "-"], input: input,
                    environment: ["GHOSTSTORE_SOCKET": control.socketPath])
                #expect(Self.known.contains(result.exitCode), "\(result.errorOutput): \(Hexadecimal.encode(input))")
            }
        }
    }
}
