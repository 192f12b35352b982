import GhostTestSupport
import TestBasics
import Testing

/// Prompts on a real pseudo-terminal: what is typed is sent only after the prompt is seen.
@Suite struct PromptTests {
    /// - Parameters:
    ///   - command: arguments of the program, and what follows it in the terminal's shell.
    ///   - dialog: a prompt to wait for and what to type then.
    private func onTerminal(
        _ control: Control, _ command: String, _ dialog: [(prompt: String, answer: String)]
    ) async throws -> ProgramResult {
        let directory = try TemporaryDirectory()
        var script = """
            cd '\(directory.path)'; mkfifo in
            script -qefc "$CTL \(command)" /dev/null < in > out & terminal=$!
            exec 3> in
            seen() { for i in $(seq 1000); do grep -q "$1" out && return; sleep 0.01; done; echo "no $1"; exit 99; }

            """
        for step in dialog {
            script += "seen '\(step.prompt)'; sleep 0.05; printf '\(step.answer)' >&3\n"
        }
        script += "wait $terminal; status=$?; exec 3>&-; cat out; exit $status"
        return try await control.shell(script)
    }

    @Test func `a new passphrase is asked for twice and never shown`() async throws {
        try await withUninitializedControl { control, _ in
            let made = try await onTerminal(
                control, "init --low-cost",
                [("New passphrase: ", "sesame street\\n"), ("The same again: ", "sesame street\\n")])
            #expect(made.exitCode == 0, "\(made.output)")
            #expect(!made.output.contains("sesame"))
            #expect(made.output.contains("the store is made and open"))
            try await control.text("lock")
            let opened = try await onTerminal(control, "unlock", [("Passphrase: ", "sesame street\\n")])
            #expect(opened.exitCode == 0, "\(opened.output)")
            #expect(!opened.output.contains("sesame"))
        }
    }

    @Test func `two different passphrases change nothing`() async throws {
        try await withUninitializedControl { control, _ in
            let refused = try await onTerminal(
                control, "init --low-cost", [("New passphrase: ", "one\\n"), ("The same again: ", "two\\n")])
            #expect(refused.exitCode == 65)
            #expect(refused.output.contains("differ"))
            #expect(try await control.json("status").first?["store_state"] == "absent")
        }
    }

    @Test func `an interrupted prompt puts the echo back`() async throws {
        try await withUninitializedControl { control, _ in
            let result = try await onTerminal(
                control, "unlock; stty -a; true", [("Passphrase: ", "\\003")])
            #expect(result.output.contains(" echo "), "\(result.output)")
            #expect(!result.output.contains(" -echo "))
        }
    }

    @Test func `without a terminal a secret has to be named`() async throws {
        try await withUninitializedControl { control, _ in
            let result = try await control.shell("setsid -w \"$CTL\" unlock")
            #expect(result.exitCode == 64)
            #expect(result.errorOutput.contains("hint: give it by file or descriptor"))
        }
    }

    @Test func `inspecting a sealed file asks for its passphrase`() async throws {
        try await withControl { control, daemon in
            let sealed = daemon.directory.file("sealed")
            let passphrase = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("blobs", "export", "alice", sealed, "--passphrase-file", passphrase)
            let inspected = try await onTerminal(
                control, "blobs inspect '\(sealed)' --passphrase --json",
                [("Passphrase of the file: ", "sesame street\\n")])
            #expect(inspected.exitCode == 0, "\(inspected.output)")
            #expect(inspected.output.contains("\"messages\": 1"))
        }
    }

    @Test func `clearing all data is confirmed on the terminal`() async throws {
        try await withControl { control, _ in
            try await control.text("messages", "save", "alice", "hello")
            let kept = try await onTerminal(control, "clear-all-data", [("Type ", "yes\\n")])
            #expect(kept.exitCode == 1)
            #expect(try await control.json("stats").first?["message_count"] == 1)
            let cleared = try await onTerminal(control, "clear-all-data", [("Type ", "clear all data\\n")])
            #expect(cleared.exitCode == 0, "\(cleared.output)")
            #expect(cleared.output.contains("message (1)"))
            #expect(cleared.output.contains("every scene and every log"))
            #expect(try await control.json("stats").first?["message_count"] == 0)
        }
    }
}
