import Interchange
import StoreBasics
import StoreCrypto

/// Bytes of a file that are handed out in pieces, sealed or as they are.
struct SealedOutput: ~Copyable {
    private var bytes: [UInt8] = []
    private var sealer: SealedStreamWriter?
    /// Nothing comes after what is here.
    private(set) var isComplete = false
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

    /// Of what was made and not handed out.
    var count: Int { bytes.count }

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

    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(count))
        bytes.removeFirst(taken.count)
        return taken
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
                throw StoreError(.lowCostRefused, "low-cost key derivation is not allowed by the configuration")
            }
            guard let passphrase = box.take() else { throw .invalidArgument("the passphrase is missing") }
            return try mappedKeys(
                SealedStreamWriter(passphrase: passphrase, cost: lowCost ? .lowForTests : .sealedFile, format))
        case .recipients(let publicKeys):
            return try mappedKeys(SealedStreamWriter(recipientPublicKeys: publicKeys, format))
        }
    }
}
