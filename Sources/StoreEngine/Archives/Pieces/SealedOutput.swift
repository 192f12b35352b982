import Interchange
import StoreBasics
import StoreCrypto

/// Bytes of a file that are handed out in pieces, sealed or as they are.
struct SealedOutput: ~Copyable {
    private var bytes: [UInt8] = []
    private var sealer: SealedStreamWriter?
    /// Nothing comes after what is here.
    private(set) var isComplete = false
    /// The number of bytes that were handed out.
    private var position: UInt64 = 0
    /// Of what seals the file, before its content; 0 for one that is not sealed.
    let headerByteCount: Int
    let isSealed: Bool

    /// Derives a key where it seals with a passphrase.
    ///
    /// - Throws: `.lowCostRefused`; `.invalidArgument` for a passphrase or keys that seal nothing.
    init(_ sealing: FileSeal, _ format: SealedFileFormat, allowsLowCost: Bool) throws(StoreError) {
        if let sealer = try Self.sealer(sealing, format, allowsLowCost: allowsLowCost) {
            bytes = sealer.header
            headerByteCount = bytes.count
            isSealed = true
            self.sealer = consume sealer
        } else {
            headerByteCount = 0
            isSealed = false
            sealer = nil
        }
    }

    /// True if more has to be made before the next piece is as long as it may be.
    var wantsMore: Bool { bytes.count <= BlobLimits.pieceBytesMax && !isComplete }

    mutating func append(_ content: [UInt8]) {
        if var current = sealer.take() {
            current.append(content, to: &bytes)
            sealer = consume current
        } else {
            bytes += content
        }
    }

    mutating func finish() {
        if let current = sealer.take() {
            current.finish(&bytes)
        }
        isComplete = true
    }

    /// - Throws: `.invalidArgument` when the next piece does not begin there.
    func expectPiece(at offset: UInt64) throws(StoreError) {
        guard offset == position else {
            throw .invalidArgument(
                "the next piece begins at byte \(position), not at \(offset); read the pieces in order")
        }
    }

    /// Hands out the next piece.
    mutating func takePiece() -> BlobPiece {
        let taken = Array(bytes.prefix(BlobLimits.pieceBytesMax))
        bytes.removeFirst(taken.count)
        position += UInt64(taken.count)
        return BlobPiece(data: taken, isLast: isComplete && bytes.isEmpty)
    }

    /// `nil` for a file that is not to be sealed.
    private static func sealer(
        _ sealing: FileSeal, _ format: SealedFileFormat, allowsLowCost: Bool
    ) throws(StoreError) -> SealedStreamWriter? {
        switch sealing {
        case .none:
            return nil
        case .passphrase(let box, let lowCost):
            guard !lowCost || allowsLowCost else {
                throw StoreError(.lowCostRefused, "the configuration does not allow low-cost key derivation")
            }
            guard let passphrase = box.take() else { throw .invalidArgument("the passphrase is missing") }
            return try mappedKeys(
                SealedStreamWriter(passphrase: passphrase, cost: lowCost ? .lowForTests : .sealedFile, format))
        case .recipients(let publicKeys):
            return try mappedKeys(SealedStreamWriter(recipientPublicKeys: publicKeys, format))
        }
    }
}
