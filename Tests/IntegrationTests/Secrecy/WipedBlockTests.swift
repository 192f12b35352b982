import GhostTestSupport
import TestBasics
import Testing

@Suite struct WipedBlockTests {
    @Test func `a block is wiped, whichever function frees it`() async throws {
        let directory = try TemporaryDirectory()
        let probe = directory.file("probe")
        let package = BuiltPrograms.packageDirectory
        let sources = "'\(package)/Tests/WipeProbe/probe.c' '\(package)/Sources/CWipedMemory/wiped.c'"
        let built = try await Program.shell(
            "$(command -v cc || command -v clang) -O1 -fno-builtin -w -I '\(package)/Sources/CWipedMemory/include' "
                + "-o '\(probe)' \(sources) -ldl")
        try #require(built.exitCode == 0, "\(built.errorOutput)")
        let result = try await Program.shell("'\(probe)'")
        #expect(result.exitCode == 0 && result.output == "")
    }
}
