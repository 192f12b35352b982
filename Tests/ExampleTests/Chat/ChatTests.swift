import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Tests `Examples/chat`. It needs tmux, which `make test` installs.
@Suite(.timeLimit(.minutes(2))) struct ChatTests {
    @Test func `two people chat, exchange files and search, before and after kill -9 of the daemon`() async throws {
        let chat = try ChatSession()
        try await chat.see("alice>", as: .alice)
        try await chat.see("bob>", as: .bob)
        try await chat.type("the tower at noon", as: .alice)
        try await chat.see("alice: the tower at noon", as: .bob)
        try await chat.see("read: the tower at noon", as: .alice)
        try await exchangeFile(chat)
        try await chat.type("/find tow*", as: .bob)
        try await chat.see("alice: the «tower» at noon", as: .bob)

        let killed = try #require(chat.daemonID)
        kill(killed, SIGKILL)
        try await chat.type("still there?", as: .bob)
        try await chat.see("bob: still there?", as: .alice)
        try await chat.type("always", as: .alice)
        try await chat.see("alice: always", as: .bob)
        let restarted = try #require(chat.daemonID)
        #expect(restarted != killed)

        try await chat.type("/quit", as: .bob)
        try await chat.type("/quit", as: .alice)
        let result = try await chat.end()
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        #expect(kill(restarted, 0) != 0, "the daemon still runs")
    }

    private func exchangeFile(_ chat: ChatSession) async throws {
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let path = try chat.place.write(content, to: "map.bin")
        try await chat.type("/send \(path)", as: .bob)
        try await chat.see("[1] map.bin, 3000000 bytes", as: .alice)
        try await chat.type("/save 1 \(chat.place.file("copy"))", as: .alice)
        try await chat.see("saved", as: .alice)
        #expect(chat.place.bytes(of: "copy") == content)
        try await chat.type("/save 1 \(path)", as: .alice)
        try await chat.see("not done", as: .alice)
        #expect(chat.place.bytes(of: "map.bin") == content)
    }

    @Test func `older messages are shown at the start, without control characters`() async throws {
        try await withDaemonAndClient { daemon, client in
            let hostile = "wipe\u{1B}[2J\u{1B}]0;title\u{07}\r\nsecond\u{9B}31m\u{202E}txt.exe"
            try await client.saveMessage(
                NewMessage(
                    conversation: .sessionID("alice+bob"), text: hostile, senderSessionID: "alice\u{1B}c",
                    attachments: [NewAttachment(.bytes([1]), name: "a\u{1B}[2Jb")]))
            let result = try await Program.run(
                BuiltPrograms.path("chat-example"), ["bob", "alice"],
                input: Array("/find wipe\n/save 9 x\n/nothing\n/quit\n".utf8),
                environment: ["GHOSTSTORE_SOCKET": daemon.socketPath])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            for text in ["wipe", "second", "«wipe»", "1 found", "] a", "was shown", "there is no /nothing"] {
                #expect(result.output.contains(text), "no '\(text)' in \(result.output.debugDescription)")
            }
            let obeyed = result.output.unicodeScalars.filter {
                $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
            }
            #expect(obeyed.isEmpty)
            let messages = try await client.messages(in: .sessionID("alice+bob")).collect()
            #expect(messages.map(\.isRead) == [true])
        }
    }

    @Test(arguments: [([], 2, "usage"), (["bob", "alice"], 1, "hint"), (["bob", "bob"], 2, "usage")])
    func `a chat that cannot begin reports the reason`(arguments: [String], status: Int32, word: String) async throws {
        let result = try await Program.run(
            BuiltPrograms.path("chat-example"), arguments, environment: ["GHOSTSTORE_SOCKET": "/nonexistent/socket"])
        #expect(result.exitCode == status && result.errorOutput.contains(word), "\(result)")
    }
}
