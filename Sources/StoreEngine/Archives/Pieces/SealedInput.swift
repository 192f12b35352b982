import Interchange
import StoreBasics
import StoreCrypto

/// A file that is received in parts, sealed or not. Checks the order of the parts, and opens them.
struct SealedInput: ~Copyable {
    private let format: SealedFileFormat
    /// The exact number of bytes of the whole file; `nil` if it is not known.
    private let announcedBytes: UInt64?
    let isSealed: Bool
    private var opener: SealedStreamReader?
    private var position: UInt64 = 0

    /// - Parameter secret: `nil` for a file that is not sealed.
    init(secret: consuming SlotSecret?, _ format: SealedFileFormat, announcedBytes: UInt64? = nil) {
        self.format = format
        self.announcedBytes = announcedBytes
        if let secret = consume secret {
            isSealed = true
            opener = SealedStreamReader(secret: secret, format)
        } else {
            isSealed = false
            opener = nil
        }
    }

    /// True if accepting the next part may derive a key from a passphrase.
    var triesPassphrase: Bool {
        switch opener {
        case .some(let opener): opener.waitsForPassphrase
        case .none: false
        }
    }

    /// Accepts a part of the file.
    ///
    /// - Parameter content: Receives the opened bytes that the part completes.
    /// - Returns: The number of bytes of the file received so far.
    /// - Throws: `.invalidArgument` for a part out of order; an error with the offset of the damage if the file is
    ///   damaged; an error if the secret does not open the file.
    mutating func accept(
        _ data: [UInt8], at offset: UInt64, to content: inout [UInt8]
    ) throws(StoreError) -> UInt64 {
        guard offset == position else {
            throw .invalidArgument(
                "the piece begins at byte \(offset), but byte \(position) comes next; write the pieces in order")
        }
        guard data.count <= BlobLimits.pieceBytesMax else {
            throw .invalidArgument("the piece has \(data.count) bytes; the limit is \(BlobLimits.pieceBytesMax)")
        }
        if let announcedBytes, UInt64(data.count) > announcedBytes - position {
            throw StoreError(
                format.damaged,
                "the file is longer than the announced \(announcedBytes) bytes (byte \(announcedBytes))")
        }
        if offset == 0, !isSealed, SealedFileHeader.isSealed(data, format) {
            throw StoreError(
                format.secretWrong, "the \(format.noun) is sealed; give its passphrase or a recipient's key file")
        }
        position += UInt64(data.count)
        guard isSealed else {
            content += data
            return position
        }
        try opened { reader throws(CryptoError) in try reader.feed(data, to: &content) }
        return position
    }

    /// Ends the file.
    ///
    /// - Parameter content: Receives the remaining opened bytes.
    mutating func finish(to content: inout [UInt8]) throws(StoreError) {
        if let announcedBytes, position < announcedBytes {
            throw StoreError(
                format.damaged, "the file is shorter than the announced \(announcedBytes) bytes (byte \(position))")
        }
        guard isSealed else { return }
        try opened { reader throws(CryptoError) in try reader.finish(to: &content) }
    }

    private mutating func opened(
        _ body: (inout SealedStreamReader) throws(CryptoError) -> Void
    ) throws(StoreError) {
        guard var reader = opener.take() else {
            preconditionFailure("a sealed file must have a reader until it is complete")
        }
        do throws(CryptoError) {
            try body(&reader)
        } catch {
            switch error.code {
            case .sealedFileDamaged: throw StoreError(format.damaged, error.message)
            case .sealedFileNotForSecret: throw StoreError(format.secretWrong, error.message)
            default: throw StoreError(error)
            }
        }
        opener = consume reader
    }
}

extension SealedFileFormat {
    fileprivate var damaged: ErrorReason {
        switch self {
        case .messages: .blobDamaged
        case .archive: .archiveDamaged
        }
    }

    fileprivate var secretWrong: ErrorReason {
        switch self {
        case .messages: .blobSecretWrong
        case .archive: .archiveSecretWrong
        }
    }
}
