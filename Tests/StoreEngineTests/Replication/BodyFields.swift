import StoreBasics

/// Bodies of messages, changed field by field.
enum BodyFields {
    /// Returns a body whose attachments have more fields. Of two fields of one number the last counts.
    static func adding(_ more: [UInt8], toAttachmentsOf body: [UInt8]) throws -> [UInt8] {
        try body.withUnsafeBytes { bytes in
            var fields = TaggedFields(bytes)
            var changed: [UInt8] = []
            while let field = try fields.next() {
                if field.number == 16 {
                    changed.append(field: 16, present: try field.bytes() + more)
                } else {
                    changed += [UInt8](field.whole)
                }
            }
            return changed
        }
    }
}
