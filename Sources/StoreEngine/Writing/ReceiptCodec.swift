/// A receipt as kept beside its idempotency key: LEB128 numbers revision, created, updated, deleted, id count, then
/// each id as a length and UTF-8 bytes.
enum ReceiptCodec {
    static func encode(_ receipt: Receipt) -> [UInt8] {
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
        return bytes
    }

    /// `nil` for bytes that `encode` cannot have made.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Receipt? {
        var reader = ByteReader(bytes)
        var receipt = Receipt()
        guard let revision = reader.number(), let created = reader.number(), let updated = reader.number(),
            let deleted = reader.number(), let count = reader.number(), count <= EngineLimits.requestEntitiesMax
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
        return reader.isAtEnd ? receipt : nil
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
