import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// Exports of other programs, converted into lines as docs/cli.md describes.
@Suite(.enabled(if: access("/usr/bin/jq", X_OK) == 0, "jq is not there; hint: apt-get install jq"))
struct OtherProgramTests {
    private static let files = #"""
        cat > result.json <<'END'
        {"name": "Anna", "id": 42, "messages": [
          {"type": "message", "date_unixtime": "1790838780", "from_id": "user1", "text": "hello"},
          {"type": "message", "date_unixtime": "1790838790", "text": ["see ", {"type": "link", "text": "e.org"}]},
          {"type": "service", "date_unixtime": "1"}]}
        END
        cat > received.jsonl <<'END'
        {"envelope": {"sourceNumber": "+491", "timestamp": 1790838780123, "dataMessage": {"message": "hi"}}}
        {"envelope": {"sourceNumber": "+491", "timestamp": 2, "receiptMessage": {}}}
        END
        printf 'team,bob,1790838780,hello, world\n' > messages.csv

        """#

    @Test func `exports of other programs are imported, and a repeated import adds nothing`() async throws {
        let section = try #require(
            try RepositoryFiles.text("docs/cli.md").split(separator: "### From other programs").last)
        let commands = try #require(
            section.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
        try await withControl { control, daemon in
            let script = commands.replacing("ghoststorectl", with: "\"$CTL\"")
            let result = try await control.shell(
                "set -e; cd '\(daemon.directory.path)'\n" + Self.files + script + script)
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let texts = try JSON.lines(try await control.text("messages", "export")).map { $0["text"]?.text }
            #expect(texts == ["hi", "hello, world", "hello", "see e.org"])
        }
    }
}
