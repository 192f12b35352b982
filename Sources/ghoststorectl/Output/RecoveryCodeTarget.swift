import ArgumentParser
import Glibc
import StoreBasics
import StoreClient

/// The place a recovery code is written to, opened before the daemon is asked to make it: the code is told only once.
struct RecoveryCodeTarget: ~Copyable {
    private let descriptor: Int32
    private let path: String?

    init(_ options: RecoveryCodeOptions) throws(CommandFailure) {
        let path = options.recoveryCodeOutput
        let descriptor =
            path.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) } ?? STDOUT_FILENO
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate, "cannot create \(path ?? ""): \(SystemError.last)")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if descriptor != STDOUT_FILENO {
            close(descriptor)
        }
    }

    /// The code and a newline, past every buffer of this program. With `--json` it is a line of its own, in plain text.
    consuming func write(_ code: consuming RecoveryCodeOutput, _ output: Output) throws {
        try output.flush()
        guard let path else {
            Diagnostics.warn(
                "this is the recovery code; it is not shown again, and whoever has it can open the store: keep it safe")
            try Self.write(code, to: descriptor, named: "standard output")
            return
        }
        try Self.write(code, to: descriptor, named: path)
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw CommandFailure(.inputOutput, "cannot write \(path): \(SystemError.last)")
        }
        Diagnostics.warn("the recovery code is in \(path); whoever has it can open the store: keep it safe")
    }

    private static func write(
        _ code: borrowing RecoveryCodeOutput, to descriptor: Int32, named name: String
    ) throws(CommandFailure) {
        do throws(StoreClientError) {
            try code.write(to: descriptor)
        } catch {
            throw CommandFailure(
                .inputOutput,
                "the recovery code is not in \(name): \(error.message); hint: its slot is there; "
                    + "remove it and make another with 'keys add --new-recovery-code'")
        }
    }
}

/// Where a recovery code that the daemon makes goes.
struct RecoveryCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the recovery code to a new file of mode 0600 instead of standard output.", valueName: "file"),
        completion: .file())
    var recoveryCodeOutput: String?
}
