import GhostTestSupport
import Glibc
import TestBasics
import Testing

@testable import ghoststorectl

/// Ctrl-C in a shell: while a command waits in a system call, and after a command already had an effect that must be
/// reported.
@Suite struct ShellInterruptionTests {
    /// The commands open a pipe that has no process at its other end.
    @Test func `Ctrl-C ends a command that waits for a pipe`() async throws {
        try await withShell { shell, control in
            let folder = try TemporaryDirectory()
            let pipe = folder.file("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            try await control.text("contacts", "save", "alice")
            for command in [
                "messages import \(pipe)", "files put \(pipe) document/x", "contacts save bob --avatar-file \(pipe)",
                "keys add --passphrase-file \(pipe)", "keys add --key-file \(pipe)", "messages export -o \(pipe)",
                "messages save alice --attach \(pipe) hi",
            ] {
                try await shell.line("\(command)\r")
                try await shell.interrupt(until: "interrupted")
            }
            // A process has the other end open now, but neither writes nor reads.
            let other = open(pipe, O_RDWR | O_CLOEXEC)
            defer { close(other) }
            try await shell.line("messages import \(pipe)\r")
            try await shell.interrupt(until: "interrupted")
            try await shell.line("stats\r", until: "unread")
            let lines = (0..<3_000).map { #"{"id": "m\#($0)", "text": "t", "conversation_session_id": "s"}"# }
            try await control.text("messages", "import", "-", input: lines.joined(separator: "\n"))
            try await shell.line("messages export -o \(pipe)\r")
            try await shell.interrupt(until: "interrupted")
            try await shell.line("stats\r", until: "unread")
            #expect(try await control.json("contacts", "list").count == 1)
        }
    }

    @Test func `lines that an interrupted import has read are stored and counted in the message`() async throws {
        try await withShell { shell, control in
            let folder = try TemporaryDirectory()
            let pipe = folder.file("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            let other = open(pipe, O_RDWR | O_CLOEXEC)
            defer { close(other) }
            let line = #"{"id": "m1", "text": "t", "conversation_session_id": "s"}"# + "\n"
            try #require(write(other, line, line.utf8.count) == line.utf8.count)
            try await shell.line("messages import \(pipe)\r")
            var unread: CInt = 1
            try await eventually("the line is read") { ioctl(other, UInt(FIONREAD), &unread) == 0 && unread == 0 }
            try await shell.type("\u{03}", until: "the store has 1 line of the file")
            try await shell.line("stats\r", until: "unread")
            #expect(try await control.json("stats").first?["message_count"] == 1)
        }
    }

    @Test func `a prompt for a secret continues after Ctrl-D within a line, and ends with Ctrl-C`() async throws {
        try await withShell { shell, _ in
            try await shell.line("keys add\r", until: "opens the store now: ")
            try await shell.type("\u{04}", until: "the secret is empty")
            try await shell.line("keys add\r", until: "opens the store now: ")
            try await shell.type("half\u{04}\u{04}", until: "New passphrase: ")
            try await shell.type("\u{03}", until: "interrupted")
            // Ctrl-C discards what was typed just before it, whether the shell has not yet seen it, is reading it, or
            // has read it.
            for _ in 0..<20 {
                try await shell.line("keys add\r", until: "opens the store now: ")
                try shell.type("half\u{04}")
                try await shell.type("\u{03}", until: "interrupted")
            }
            try await shell.line("stats\r", until: "unread")
        }
    }

    /// The daemon is paused (SIGSTOP) until Ctrl-C has arrived.
    @Test func `Ctrl-C ends a call that the daemon does not answer`() async throws {
        try await withControl { control, daemon in
            let process = try #require(daemon.child)
            let shell = try control.shellOnTerminal()
            try await shell.line("stats\r", until: "unread")
            process.signal(SIGSTOP)
            defer { process.signal(SIGCONT) }
            try await shell.line("contacts save bob\r")
            try await shell.interrupt(until: "interrupted")
            process.signal(SIGCONT)
            try await shell.line("stats\r", until: "unread")
        }
    }

    @Test func `an interruption says if the call may have had an effect, and does not replace another error`() {
        let failure = CommandFailure(.notFound, "there is no such message: m1")
        #expect(failure.asInterruption == nil)
        #expect(CommandFailure.interrupted.asInterruption?.status == .interrupted)
        let sent = CommandFailure(
            .temporary, "the task was cancelled before the answer; the call may or may not have had an effect",
            answer: ("CANCELLED", "CANCELLED"))
        #expect(sent.asInterruption?.message == "interrupted; the call may or may not have had an effect")
        let unsent = CommandFailure(
            .temporary, "the task was cancelled before the call was sent", answer: ("CANCELLED", "CANCELLED"))
        #expect(unsent.asInterruption?.message == "interrupted")
    }
}
