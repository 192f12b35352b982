import StoreBasics
import StoreClient

/// Derives IDs for the messages of lines that contain no ID. Each import of the same file gives the same IDs, and equal
/// lines get different ones. Only one task uses it.
///
/// The ID depends on the conversation, the time, the texts of `MessageLine.identifyingTexts`, and a number. The number
/// counts the earlier lines of the conversation with the same time, or, for a line without a time, the earlier lines in
/// which the conversation and all these texts are equal. So the IDs of all other lines stay the same when one line is
/// corrected, lines are added at the end, or lines with other times are removed. Properties that change later
/// (`status`, `is_read`, the time of an edit, a timer) do not affect the ID.
final class LineIdentities {
    private static let prefix = "import"
    private static let hashBytes = 16

    /// The number of lines so far for each conversation and time; for lines without a time, for each conversation and
    /// text. The keys are hashes. If two keys collide, they only share a count.
    private var counts: [UInt64: UInt32] = [:]
    private var lastTime = Timestamp(microseconds: .min)

    /// Adds a missing ID and a missing time. The added time is the current one, and always later than the previous
    /// added time.
    func complete(_ imported: inout ImportedMessage) {
        if imported.hasNoID {
            imported.message.id = id(of: imported)
        }
        if imported.hasNoTime {
            lastTime = max(.now, lastTime.advanced(byMicroseconds: 1))
            imported.message.timestamp = lastTime
        }
    }

    private func id(of imported: ImportedMessage) -> String {
        let message = imported.message
        var place = Fields()
        switch message.conversation {
        case .sessionID(let sessionID): place.add("session", sessionID)
        case .id(let id): place.add("id", id)
        }
        place.add(imported.hasNoTime ? "" : String(message.timestamp.microseconds))
        var all = place
        all.add(MessageLine.identifyingTexts(of: message))
        let hash = SHA256.hash(all.bytes)
        var key = StableHash()
        key.combine(imported.hasNoTime ? hash : place.bytes)
        let position = counts[key.value, default: 0]
        counts[key.value] = position + 1
        let content = Hexadecimal.encode(hash.prefix(Self.hashBytes))
        guard !imported.hasNoTime else { return "\(Self.prefix)-\(content)-\(position)" }
        // IDs are ordered by time and, for equal times, by the order in the file, because the store orders messages
        // with equal times by ID.
        let time = UInt64(bitPattern: message.timestamp.microseconds) ^ (1 << 63)
        return "\(Self.prefix)-\(time, width: 16, radix: 16)-\(position, width: 8, radix: 16)-\(content)"
    }

    /// Texts in sequence, each with its length, so that different lists never give the same bytes.
    private struct Fields {
        private(set) var bytes: [UInt8] = []

        mutating func add(_ texts: String...) {
            add(texts)
        }

        mutating func add(_ texts: [String]) {
            for text in texts {
                bytes += Array("\(text.utf8.count):".utf8) + Array(text.utf8)
            }
        }
    }
}
