internal import StoreBasics

/// A receipt as kept beside its idempotency key: LEB128 numbers revision, created, updated, deleted, id count, then
/// each id as a length and UTF-8 bytes, then the fingerprint of the mutation in eight bytes, the lowest first. Receipts
/// without a fingerprint were kept before there was one.
enum ReceiptCodec {
    struct Kept: Equatable {
        var receipt: Receipt
        var fingerprint: MutationFingerprint?
    }

    private static let fingerprintBytes = 8

    static func encode(_ receipt: Receipt, of fingerprint: MutationFingerprint) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [
            Int(receipt.revision), receipt.created, receipt.updated, receipt.deleted, receipt.ids.count,
        ] {
            bytes.append(variableLength: number)
        }
        for id in receipt.ids {
            bytes.append(text: id)
        }
        for index in 0..<fingerprintBytes {
            bytes.append(UInt8(truncatingIfNeeded: fingerprint.value >> (8 * UInt64(index))))
        }
        return bytes
    }

    /// `nil` for bytes that `encode` cannot have made.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Kept? {
        var reader = ByteReader(bytes)
        var receipt = Receipt()
        // An id takes a byte at least.
        guard let revision = reader.variableLength(), let created = reader.variableLength(),
            let updated = reader.variableLength(),
            let deleted = reader.variableLength(), let count = reader.variableLength(), count <= reader.remaining
        else {
            return nil
        }
        receipt.revision = UInt64(revision)
        receipt.created = created
        receipt.updated = updated
        receipt.deleted = deleted
        for _ in 0..<count {
            guard let id = reader.text() else { return nil }
            receipt.ids.append(id)
        }
        guard !reader.isAtEnd else {
            return Kept(receipt: receipt, fingerprint: nil)
        }
        guard reader.remaining == fingerprintBytes else { return nil }
        var value: UInt64 = 0
        for index in 0..<fingerprintBytes {
            value |= UInt64(reader.byte() ?? 0) << (8 * UInt64(index))
        }
        return Kept(receipt: receipt, fingerprint: MutationFingerprint(value: value))
    }
}
