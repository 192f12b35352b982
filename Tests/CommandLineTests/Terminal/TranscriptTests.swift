import GhostTestSupport
import Testing

/// The transcripts in docs/cli.md show the real output of the commands.
@Suite struct TranscriptTests {
    @Test func `the transcripts of the document equal the output of the commands`() async throws {
        let programs = try ManualPages.programsFolder()
        let script = "\(BuiltPrograms.packageDirectory)/scripts/make-transcripts"
        let result = try await Program.run(script, ["--check"], environment: ["BIN": programs])
        #expect(
            result.exitCode == 0,
            "scripts/make-transcripts writes them anew: \(result.output) \(result.errorOutput)")
        let document = try RepositoryFiles.text("docs/cli.md")
        #expect(document.contains("### At 80 columns") && document.contains("### At 200 columns"))
    }
}
