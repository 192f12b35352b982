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
            append(number, to: &bytes)
        }
        for id in receipt.ids {
            append(id.utf8.count, to: &bytes)
            bytes.append(contentsOf: id.utf8)
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
        guard let revision = reader.number(), let created = reader.number(), let updated = reader.number(),
            let deleted = reader.number(), let count = reader.number(), count <= reader.remaining
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

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
