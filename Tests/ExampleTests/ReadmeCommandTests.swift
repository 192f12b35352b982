import GhostTestSupport
import TestBasics
import Testing

@Suite struct ReadmeCommandTests {
    @Test func `the quick start of the README prints the output that it shows`() async throws {
        let block = try #require(try Document.blocks("sh", of: "README.md").first)
        // A comment in parentheses says that a command prints nothing.
        let shown = block.split(separator: "\n").filter { $0.hasPrefix("# ") && !$0.hasPrefix("# (") }
        #expect(shown.count >= 3)
        let place = try TemporaryDirectory()
        let programs = String(try BuiltPrograms.path("ghoststored").dropLast("/ghoststored".count))
        let commands = block.replacing(
            "error &\nsleep 1", with: "error &\nuntil ghoststorectl status >/dev/null 2>&1; do sleep 0.05; done")
        let result = try await Program.run(
            "/bin/bash", ["-c", "\(commands)\nkill $!; wait"],
            environment: ["HOME": place.path, "PATH": "\(programs):/usr/bin:/bin"], within: .seconds(60))
        #expect(
            result.output.split(separator: "\n").map(Self.words) == shown.map { Self.words($0.dropFirst(2)) },
            "\(result.output)\n\(result.errorOutput)")
    }

    /// Splits a line of output into words and replaces dates, times and ids, which differ in each run.
    private static func words(_ line: Substring) -> [String] {
        line.split(separator: " ").map { word in
            let isVariable = word.wholeMatch(of: /[0-9a-f]+[-:…][-:…0-9a-fZ]+/) != nil
            return isVariable ? "…" : String(word)
        }
    }

    @Test func `the README has at most 120 lines`() throws {
        #expect(try Document.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }
}
