import Interchange
import StoreClient

/// The secret for a file that may be sealed. It is read only if the file is sealed, and only once, even if several
/// calls use it.
final class SealOpener {
    private let format: SealedFileFormat
    private let options: UnsealOptions
    private var given: SecretInput?

    init(_ format: SealedFileFormat, _ options: UnsealOptions) {
        self.format = format
        self.options = options
    }

    /// - Throws: If a secret is given for a file that is not sealed, or none for a file that is sealed for recipients.
    func secret(forFileBeginning prefix: [UInt8], _ name: String) throws -> SecretInput? {
        guard let header = try format.header(ofFileBeginning: prefix, name) else {
            guard !options.isGiven else {
                throw CommandFailure(.badData, "\(name) is not sealed; hint: leave out the option for the secret")
            }
            return nil
        }
        switch given {
        case .some(let secret): return try secret.copy()
        case .none: break
        }
        if case .recipients(let recipients) = header.seal, !options.isGiven {
            let whom = recipients.count == 1 ? "a recipient" : "recipients"
            throw CommandFailure(.usage, "\(name) is sealed for \(whom); hint: give --key-file")
        }
        let secret = try options.read()
        let copy = try secret.copy()
        given = consume secret
        return copy
    }
}

extension SealedFileFormat {
    /// - Parameter prefix: At least `SealedFileHeader.bytesMax` bytes of the file, or the whole file.
    /// - Returns: The header; `nil` for a file that is not sealed.
    /// - Throws: `.damaged` for a sealed file whose header cannot be parsed.
    func header(ofFileBeginning prefix: [UInt8], _ name: String) throws(CommandFailure) -> SealedFileHeader? {
        guard SealedFileHeader.isSealed(prefix, self) else { return nil }
        do throws(InterchangeError) {
            return try SealedFileHeader(parsing: prefix, self)
        } catch {
            throw CommandFailure(.damaged, "\(name): \(error)")
        }
    }
}
