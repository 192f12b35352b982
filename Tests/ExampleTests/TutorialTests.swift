import FoundationEssentials
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Compiles and runs the Swift code of docs/tutorial.md. `DocumentCommandTests` runs its commands.
@Suite(.timeLimit(.minutes(2))) struct TutorialTests {
    private static let document = "docs/tutorial.md"

    @Test func `the tutorial shows the programs that are built`() throws {
        let swift = try ["Package.swift", "Sources/talk/main.swift"].map {
            try Document.text("Examples/tutorial/\($0)")
        }
        #expect(try Document.blocks("swift", of: Self.document).map { $0 + "\n" } == swift)
        let python = try Document.blocks("python", of: Self.document).map { $0 + "\n" }
        #expect(try python == [Document.text("Examples/tutorial/talk.py")])
    }

    /// A shell script that types as both people and writes what it has seen to files. It continues once the file
    /// `restarted` exists.
    private static let dialog = """
        set -eu
        mkfifo a b
        stdbuf -oL "$TALK" alice bob < a > alice & first=$!
        python3 -u "$PLACE/talk.py" bob alice < b > bob & second=$!
        exec 3> a 4> b
        seen() {
            for i in $(seq 1000); do grep -qxF "$1" "$2" && return; sleep 0.02; done
            echo "no '$1' for $2: $(cat "$2")" >&2; exit 1
        }
        seen "carol: be\u{FFFD}[2Jfore" alice; seen "carol: be\u{FFFD}[2Jfore" bob
        echo "one" >&3; seen "alice: one" bob
        echo "two" >&4; seen "bob: two" alice
        touch talked
        until [ -e restarted ]; do sleep 0.02; done
        echo "three" >&4; seen "bob: three" alice
        echo "four" >&3; seen "alice: four" bob
        exec 3>&- 4>&-
        wait $first; wait $second
        """

    @Test func `the Swift and the Python program talk, before and after kill -9 of the daemon`() async throws {
        try await withDaemonAndClient { daemon, client in
            let block = try #require(try Document.blocks("python", of: Self.document).first)
            try daemon.directory.write(block, to: "talk.py")
            let hostile = "be\u{1B}[2Jfore"
            try await client.saveMessage(
                NewMessage(conversation: .sessionID("alice+bob"), text: hostile, senderSessionID: "carol"))
            let dialog = try RunningProgram(
                "/bin/sh", ["-c", "cd '\(daemon.directory.path)'\n\(Self.dialog)"],
                environment: [
                    "GHOSTSTORE_SOCKET": daemon.socketPath, "PLACE": daemon.directory.path,
                    "TALK": BuiltPrograms.path("talk-example"), "PATH": "/usr/bin:/bin",
                    "PYTHONPATH": "\(BuiltPrograms.packageDirectory)/clients/python/src",
                    "PYTHONDONTWRITEBYTECODE": "1",
                ])
            try await eventually("they talk", within: .seconds(60)) {
                guard dialog.isRunning else { throw TestSupportError(dialog.errorOutput) }
                return daemon.directory.exists("talked")
            }
            try await daemon.restart()
            try daemon.directory.write("", to: "restarted")
            let result = try await dialog.wait(within: .seconds(60))
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let kept = try await client.messages(in: .sessionID("alice+bob")).collect()
            #expect(kept.map(\.text) == ["four", "three", "two", "one", hostile])
        }
    }
}
