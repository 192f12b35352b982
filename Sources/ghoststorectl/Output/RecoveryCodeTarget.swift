import ArgumentParser
import Glibc
import StoreBasics
import StoreClient

/// What is told of a code that the daemon makes once.
struct CodeWords {
    /// What it is called.
    let name: String
    /// What it is good for.
    let power: String
    /// What to do when it is lost on its way.
    let remedy: String

    static let recovery = CodeWords(
        name: "recovery code", power: "anyone who has it can open the store",
        remedy: "its key slot exists; remove the slot and create another with 'keys add --new-recovery-code'")
    static let invitation = CodeWords(
        name: "invitation code", power: "the device that uses it gets all data that the group replicates",
        remedy: "create another with 'replication invite'")
}

/// The place a recovery code is written to, opened before the daemon is asked to make it: the code is
/// told only once. A file that the code does not come into is removed.
struct RecoveryCodeTarget: ~Copyable {
    /// `nil`: standard output.
    private let file: UnfinishedFile?
    private let words: CodeWords

    init(_ options: RecoveryCodeOptions) throws(CommandFailure) {
        try self.init(options.path, .recovery)
    }

    /// - Parameter path: `nil` for standard output.
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

    /// The code and a newline, past every buffer of this program. With `--json` it is a line of its own, in plain text.
    consuming func write(_ code: consuming RecoveryCodeOutput, _ output: Output) throws {
        try output.flush()
        guard let file else {
            Diagnostics.warn(
                "this is the \(words.name); it is not shown again, and \(words.power): keep it safe")
            try Self.write(code, words, to: ProgramRun.current.output, named: "standard output")
            return
        }
        // A part of it may be of use: there is no other.
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

/// Where a recovery code that the daemon makes goes.
struct RecoveryCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the recovery code to a new file of mode 0600; '-' is standard output, the default.",
            valueName: "file"),
        completion: .file())
    var recoveryCodeOutput: String?

    /// `nil`: standard output.
    var path: String? {
        recoveryCodeOutput == "-" ? nil : recoveryCodeOutput
    }
}
