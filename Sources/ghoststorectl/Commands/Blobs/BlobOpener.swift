import Interchange
import StoreClient

/// What opens a message file: nothing, or a secret that is read once and may be used for several calls.
final class BlobOpener {
    private let given: SecretInput?

    /// - Throws: where the file is sealed for a recipient and no key file is given.
    init(_ path: String, _ options: BlobSecretOptions) throws {
        guard path != "-" else {
            throw CommandFailure(.usage, "a message file is read twice; give a file and not standard input")
        }
        given = try Self.read(path, options)
    }

    func secret() throws -> SecretInput? {
        switch given {
        case .some(let secret): try secret.copy()
        case .none: nil
        }
    }

    private static func read(_ path: String, _ options: BlobSecretOptions) throws -> SecretInput? {
        guard let header = try BlobFile.sealedHeader(of: path) else {
            guard !options.isGiven else {
                throw CommandFailure(.badData, "\(path) is not sealed; hint: leave the secret out")
            }
            return nil
        }
        switch header.seal {
        case .passphrase:
            return try options.read()
        case .recipient:
            guard options.isGiven else {
                throw CommandFailure(.usage, "\(path) is sealed for a recipient; hint: give --key-file")
            }
            return try options.read()
        }
    }
}
