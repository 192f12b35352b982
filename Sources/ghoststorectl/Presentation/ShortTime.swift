import StoreClient

extension Timestamp {
    /// UTC to the second, for tables: `2026-11-21 03:54:01Z`.
    var shortText: String {
        let text = description
        guard let dot = text.firstIndex(of: "."), let separator = text.firstIndex(of: "T") else {
            return text
        }
        return text[..<separator] + " " + text[text.index(after: separator)..<dot] + "Z"
    }
}
