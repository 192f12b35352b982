import ArgumentParser
import StoreClient

/// A passphrase from a file or a descriptor.
struct PassphraseOptions: ParsableArguments {
    /// The names of the options in error messages.
    static let names = "--passphrase-file or --passphrase-fd"

    @Option(
        help: ArgumentHelp("Read the passphrase from a file; '-' is standard input.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the passphrase from an open file descriptor.", valueName: "number"))
    var passphraseDescriptor: Int32?

    /// The number of these options on the command line.
    var count: Int {
        (passphraseFile == nil ? 0 : 1) + (passphraseDescriptor == nil ? 0 : 1)
    }

    func validate() throws {
        guard count <= 1 else { throw ValidationError("more than one secret is given; hint: give one") }
    }

    /// - Returns: `nil` if none of the options is given.
    func read() throws -> SecretInput? {
        if let path = passphraseFile {
            return try SecretSource.file(path, kind: .passphrase)
        }
        if let descriptor = passphraseDescriptor {
            return try SecretSource.descriptor(descriptor, kind: .passphrase)
        }
        return nil
    }
}

/// The source of the secret that opens the store. By default it is a passphrase that the command asks for on the
/// terminal.
struct SecretOptions: ParsableArguments {
    @OptionGroup var passphrase: PassphraseOptions

    @Option(
        help: ArgumentHelp("Use a key file: 32 to 4,096 bytes; '-' is standard input.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp("Read a recovery code from a file; '-' is standard input.", valueName: "file"),
        completion: .file())
    var recoveryCodeFile: String?

    @Flag(help: "Ask for a recovery code instead of a passphrase.")
    var recoveryCode = false

    private var count: Int {
        passphrase.count + [keyFile != nil, recoveryCodeFile != nil, recoveryCode].count { $0 }
    }

    func validate() throws {
        guard count <= 1 else { throw ValidationError("more than one secret is given; hint: give one") }
    }

    /// True if a source is given on the command line.
    var isGiven: Bool {
        count > 0
    }

    /// - Parameter purpose: The name of the secret in the prompt.
    func read(prompt purpose: String = "Passphrase") throws -> SecretInput {
        if let secret = try passphrase.read() {
            return secret
        }
        if let path = keyFile {
            return try SecretSource.file(path, kind: .keyFile)
        }
        if let path = recoveryCodeFile {
            return try SecretSource.file(path, kind: .recoveryCode)
        }
        return recoveryCode
            ? try SecretSource.prompt("Recovery code", kind: .recoveryCode, insteadOf: "--recovery-code-file")
            : try SecretSource.prompt(purpose, kind: .passphrase, insteadOf: PassphraseOptions.names)
    }

    /// Calls `body` with the secret. A person may type a wrong secret twice before the command fails.
    func attempt<Result>(
        prompt purpose: String = "Passphrase", _ body: (consuming SecretInput) async throws -> Result
    ) async throws -> Result {
        for _ in 1..<Confirmation.triesMax where !isGiven || recoveryCode {
            do {
                return try await body(try read(prompt: purpose))
            } catch let error as StoreClientError {
                guard error.reason == .wrongKey else { throw error }
                let noun = recoveryCode ? "recovery code" : "passphrase"
                Diagnostics.write("this \(noun) opens no key slot of the store; try again")
            }
        }
        return try await body(try read(prompt: purpose))
    }

    /// Reads the secret of a command that also works without one; `nil` if none is given and the person shall not be
    /// asked.
    func readOptional(asks: Bool) throws -> SecretInput? {
        guard isGiven || asks else { return nil }
        return try read(prompt: "Passphrase of the backup")
    }

    /// Reads the secret of a new store. A typed passphrase must be typed twice.
    func readNew() throws -> SecretInput {
        isGiven
            ? SecretSource.warned(try read())
            : try SecretSource.newPassphrase(insteadOf: PassphraseOptions.names)
    }
}

/// The source of the secret that shall open the store from now on. By default it is a passphrase that the command asks
/// for twice.
struct NewSecretOptions: ParsableArguments {
    private static let names = "--new-passphrase-file or --new-passphrase-fd"

    @Option(
        help: ArgumentHelp("Read the new passphrase from a file; '-' is standard input.", valueName: "file"),
        completion: .file())
    var newPassphraseFile: String?

    @Option(
        name: .customLong("new-passphrase-fd"),
        help: ArgumentHelp("Read the new passphrase from an open file descriptor.", valueName: "number"))
    var newPassphraseDescriptor: Int32?

    func validate() throws {
        guard newPassphraseFile == nil || newPassphraseDescriptor == nil else {
            throw ValidationError("more than one new passphrase is given; hint: give one")
        }
    }

    var isGiven: Bool {
        newPassphraseFile != nil || newPassphraseDescriptor != nil
    }

    func read() throws -> SecretInput {
        if let path = newPassphraseFile {
            return SecretSource.warned(try SecretSource.file(path, kind: .passphrase))
        }
        if let descriptor = newPassphraseDescriptor {
            return SecretSource.warned(try SecretSource.descriptor(descriptor, kind: .passphrase))
        }
        return try SecretSource.newPassphrase(insteadOf: Self.names)
    }
}
