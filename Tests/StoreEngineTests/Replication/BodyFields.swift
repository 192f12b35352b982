import StoreBasics

/// Functions that change the fields of encoded message bodies.
enum BodyFields {
    /// Returns a body whose attachments have additional fields. If two fields have the same number, the last one
    /// counts.
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
