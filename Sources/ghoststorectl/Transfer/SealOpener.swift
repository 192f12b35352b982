import Interchange
import StoreClient

/// What opens a file that may be sealed: nothing, or a secret that is read once, when it is known to be needed, and may
/// be used for several calls.
final class SealOpener {
    private let format: SealedFileFormat
    private let options: UnsealOptions
    private var given: SecretInput?

    init(_ format: SealedFileFormat, _ options: UnsealOptions) {
        self.format = format
        self.options = options
    }

    /// - Throws: where a secret is given for what is not sealed, and none for what is sealed for recipients.
    func secret(forFileBeginning prefix: [UInt8], _ name: String) throws -> SecretInput? {
        guard let header = try format.header(ofFileBeginning: prefix, name) else {
            guard !options.isGiven else {
                throw CommandFailure(.badData, "\(name) is not sealed; hint: leave the secret out")
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
    /// - Parameter prefix: at least `SealedFileHeader.bytesMax` bytes of the file, or all of it.
    /// - Returns: `nil` for a file that is not sealed.
    /// - Throws: `.damaged` for a sealed file of which no header can be read.
    func header(ofFileBeginning prefix: [UInt8], _ name: String) throws(CommandFailure) -> SealedFileHeader? {
        guard SealedFileHeader.isSealed(prefix, self) else { return nil }
        do throws(InterchangeError) {
            return try SealedFileHeader(parsing: prefix, self)
        } catch {
            throw CommandFailure(.damaged, "\(name): \(error)")
        }
    }
}
