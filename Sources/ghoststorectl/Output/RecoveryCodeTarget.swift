import ArgumentParser
import Glibc
import StoreBasics
import StoreClient

/// The phrases about a code that the daemon shows only once.
struct CodeWords {
    /// The name of the code in texts for the person, such as "recovery code".
    let name: String
    /// A sentence about the access that the code gives.
    let power: String
    /// The advice if the code is lost before it is stored.
    let remedy: String

    static let recovery = CodeWords(
        name: "recovery code", power: "anyone who has it can open the store",
        remedy: "its key slot exists; remove the slot and create another with 'keys add --new-recovery-code'")
    static let invitation = CodeWords(
        name: "invitation code", power: "the device that uses it gets all data that the group replicates",
        remedy: "create another with 'replication invite'")
}

/// The destination of a recovery code. It is opened before the daemon is asked to create the code, because the daemon
/// shows the code only once. A file that does not receive a code is removed.
struct RecoveryCodeTarget: ~Copyable {
    /// The file; `nil` for standard output.
    private let file: UnfinishedFile?
    private let words: CodeWords

    init(_ options: RecoveryCodeOptions) throws(CommandFailure) {
        try self.init(options.path, .recovery)
    }

    /// - Parameter path: The path of the file; `nil` for standard output.
    init(_ path: String?, _ words: CodeWords) throws(CommandFailure) {
        self.words = words
        do throws(SystemError) {
            file = try path.map { path throws(SystemError) in
                try UnfinishedFile(path) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
            }
        } catch {
            let hint = error.number == EEXIST ? "; hint: a code is only written to a new file" : ""
            throw CommandFailure(.cannotCreate, "cannot create \(path ?? ""): \(error)\(hint)")
        }
    }

    /// Writes the code and a newline directly, so that no buffer of this program contains the code. Even with `--json`
    /// the code is a line of plain text, apart from the JSON.
    consuming func write(_ code: consuming RecoveryCodeOutput, _ output: Output) throws {
        try output.flush()
        guard let file else {
            Diagnostics.warn(
                "this is the \(words.name); it is not shown again, and \(words.power): keep it safe")
            try Self.write(code, words, to: ProgramRun.current.output, named: "standard output")
            return
        }
        // Even an incomplete file may be useful, because no other copy of the code exists.
        file.keep()
        try Self.write(code, words, to: file.descriptor, named: file.path)
        guard fsync(file.descriptor) == 0 || errno == EINVAL else {
            throw CommandFailure(.inputOutput, "cannot write \(file.path): \(SystemError.last)")
        }
        Diagnostics.warn("the \(words.name) is in \(file.path); \(words.power): keep it safe")
    }

    private static func write(
        _ code: borrowing RecoveryCodeOutput, _ words: CodeWords, to descriptor: Int32, named name: String
    ) throws(CommandFailure) {
        do throws(StoreClientError) {
            try code.write(to: descriptor)
        } catch {
            throw CommandFailure(
                .inputOutput,
                "the \(words.name) could not be written to \(name): \(error.message); hint: \(words.remedy)")
        }
    }
}

/// The destination of a recovery code that the daemon creates.
struct RecoveryCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the recovery code to a new file of mode 0600; '-' is standard output, the default.",
            valueName: "file"),
        completion: .file())
    var recoveryCodeOutput: String?

    /// The path; `nil` for standard output.
    var path: String? {
        recoveryCodeOutput == "-" ? nil : recoveryCodeOutput
    }
}
