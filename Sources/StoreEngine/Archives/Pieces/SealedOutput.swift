import Interchange
import StoreBasics
import StoreCrypto

/// A file that is returned in parts, sealed or not.
struct SealedOutput: ~Copyable {
    private var bytes: [UInt8] = []
    private var sealer: SealedStreamWriter?
    /// True if `bytes` contains the end of the file.
    private(set) var isComplete = false
    /// The number of bytes that were returned.
    private var position: UInt64 = 0
    /// The bytes of the seal before the content; 0 for a file that is not sealed.
    let headerByteCount: Int
    let isSealed: Bool

    /// Prepares the seal. Derives a key if the seal is a passphrase.
    ///
    /// - Throws: `.lowCostRefused`; `.invalidArgument` for an unusable passphrase or key.
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

    /// True if more content has to be appended before the next part is returned: `bytes` has at most one part, and the
    /// end of the file is missing.
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

    /// - Throws: `.invalidArgument` if the next part does not begin at `offset`.
    func expectPiece(at offset: UInt64) throws(StoreError) {
        guard offset == position else {
            throw .invalidArgument(
                "the piece begins at byte \(offset), but byte \(position) comes next; read the pieces in order")
        }
    }

    /// Removes the next part from `bytes` and returns it. The part may be smaller than `BlobLimits.pieceBytesMax`, or
    /// empty.
    mutating func removeNextPiece() -> BlobPiece {
        let data = Array(bytes.prefix(BlobLimits.pieceBytesMax))
        bytes.removeFirst(data.count)
        position += UInt64(data.count)
        return BlobPiece(data: data, isLast: isComplete && bytes.isEmpty)
    }

    /// Returns the sealing writer; `nil` for a file without a seal.
    private static func sealer(
        _ sealing: FileSeal, _ format: SealedFileFormat, allowsLowCost: Bool
    ) throws(StoreError) -> SealedStreamWriter? {
        switch sealing {
        case .none:
            return nil
        case .passphrase(let box, let lowCost):
            guard !lowCost || allowsLowCost else {
                throw StoreError(
                    .lowCostRefused,
                    "the daemon's configuration does not allow low-cost keys, which are only for tests")
            }
            guard let passphrase = box.take() else { throw .invalidArgument("the passphrase is missing") }
            return try mappedKeys(
                SealedStreamWriter(passphrase: passphrase, cost: lowCost ? .lowForTests : .sealedFile, format))
        case .recipients(let publicKeys):
            return try mappedKeys(SealedStreamWriter(recipientPublicKeys: publicKeys, format))
        }
    }
}
