import FoundationEssentials
import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// After Ctrl-C at a prompt, or during the work after the prompt, nothing remains in the daemon or on the disk.
@Suite(.timeLimit(.minutes(2))) struct PromptInterruptionTests {
    private static let prompt = "Passphrase of the backup: "

    /// Runs `body` with a backup in a file, whose keyring the passphrase `sesame street` opens.
    private func withBackup(_ body: (Control, TestDaemon) async throws -> Void) async throws {
        try await withUninitializedControl { control, daemon in
            let passphrase = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            try await control.text("init", "--low-cost", "--passphrase-file", passphrase)
            try await control.text("messages", "save", "alice", "hello")
            try await control.text("backup", "create", "--output", daemon.directory.file("copy"))
            try await body(control, daemon)
        }
    }

    @Test(arguments: ["verify", "restore --replace"])
    func `a backup's passphrase is requested before any byte is sent to the daemon`(_ command: String) async throws {
        try await withBackup { control, daemon in
            let file = daemon.directory.file("copy")
            let ended = try await control.onTerminal(
                "backup \(command) --ask --file '\(file)'", [(Self.prompt, "\\003")])
            #expect(ended.exitCode == 130, "\(ended.output)")
            #expect(try await control.json("backup", "list").isEmpty)
            #expect(!daemon.log.contains("upload"), "\(daemon.log)")
        }
    }

    /// Types the passphrase at the prompt, and types Ctrl-C after the program has begun its work, while the daemon is
    /// paused (SIGSTOP). The script recognizes the work by the signal handlers of the program: for SIGINT and SIGQUIT
    /// at the prompt, and for SIGINT alone during the work. `env --default-signal` is needed because a shell makes
    /// background programs ignore both signals, and SWIFT_BACKTRACE because Swift handles SIGQUIT for its backtraces.
    private static let interruptedBehindPrompt = """
        cd "$DIRECTORY"; mkfifo in
        work='echo $$ > pid; exec env SWIFT_BACKTRACE=enable=no "$CTL" backup verify --ask '"$BACKUP"
        env --default-signal=INT,QUIT script -qefc "$work" /dev/null < in > out & terminal=$!
        exec 3> in
        wait_for() { for i in $(seq 2000); do eval "$1" && return; sleep 0.01; done; echo "no $1"; cat out; exit 99; }
        heeds() { [ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$(cat pid)/status) >> ($1 - 1) & 1)) = 1 ]; }
        wait_for 'grep -q "Passphrase of" out'
        kill -STOP "$DAEMON"; printf 'sesame street\\n' >&3
        wait_for 'heeds 2 && ! heeds 3'
        printf '\\003' >&3
        wait_for 'grep -q interrupted: out'
        kill -CONT "$DAEMON"; wait $terminal; status=$?; exec 3>&-; cat out; exit $status
        """

    @Test(arguments: [true, false])
    func `an interruption after the prompt has the same effect as without a prompt`(isFile: Bool) async throws {
        try await withBackup { control, daemon in
            let kept = try #require(try await control.json("backup", "create").first?["name"]?.text)
            let process = try #require(daemon.child)
            let backup = isFile ? "--file \(daemon.directory.file("copy"))" : kept
            let result = try await control.shell(
                Self.interruptedBehindPrompt,
                environment: [
                    "DIRECTORY": daemon.directory.path, "BACKUP": backup, "DAEMON": String(process.id),
                ])
            process.signal(SIGCONT)
            #expect(result.exitCode == 130, "\(result.output)")
            let told = isFile ? "interrupted: waiting for the daemon" : "interrupted: the daemon continues"
            #expect(result.output.contains(told), "\(result.output)")
            #expect(try await control.json("backup", "list").map { $0["name"]?.text } == [kept])
        }
    }

    @Test func `a command that creates no recovery code leaves no file for it`() async throws {
        try await withUninitializedControl { control, daemon in
            let code = daemon.directory.file("code")
            func isThere() -> Bool { FileManager.default.fileExists(atPath: code) }
            let interrupted = try await control.onTerminal(
                "init --low-cost --with-recovery-code --recovery-code-output '\(code)'", [("New passphrase: ", "\\003")]
            )
            #expect(interrupted.exitCode == 130 && !isThere(), "\(interrupted.output)")
            let passphrase = try daemon.directory.write(Array("sesame street".utf8), to: "passphrase")
            let wrong = try daemon.directory.write(Array("sesame stret".utf8), to: "wrong")
            try await control.text("init", "--low-cost", "--passphrase-file", passphrase)
            let add = ["keys", "add", "--new-recovery-code", "--recovery-code-output", code, "--low-cost"]
            let refused = try await control.run(add + ["--passphrase-file", wrong])
            #expect(refused.exitCode == 5 && !isThere(), "\(refused.errorOutput)")
            let made = try await control.run(add + ["--passphrase-file", passphrase])
            #expect(made.exitCode == 0 && isThere(), "\(made.errorOutput)")
            // An existing file is not removed when the command fails.
            let again = try await control.run(add + ["--passphrase-file", passphrase])
            #expect(again.exitCode == 73 && daemon.directory.read("code").count > 20)
        }
    }
}
