/// A person's name for a slot: at most 64 bytes of UTF-8 without control characters.
struct SlotLabel: Hashable, Sendable {
    static let bytesMax = 64

    let text: String

    /// - Throws: `.labelInvalid`.
    init(_ text: String) throws(CryptoError) {
        guard text.utf8.count <= Self.bytesMax else {
            throw CryptoError(.labelInvalid, "label has \(text.utf8.count) bytes; use at most \(Self.bytesMax)")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw CryptoError(.labelInvalid, "label has control characters; use one line of plain text")
        }
        self.text = text
    }
}
