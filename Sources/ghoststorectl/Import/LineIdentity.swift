import StoreBasics
import StoreClient

/// Gives messages of lines without an id the same ids at each import of the file, and equal lines different ones. Used
/// from one task.
///
/// An id follows from what was said, by whom, where and when, and from the line's position: among the lines of its
/// conversation with the same time, or, without a time, among equal lines. So correcting a line, adding lines at the
/// end, and removing lines of other times leaves the ids of the rest. What changes after a message was said (`status`,
/// `is_read`, an edit's time, a timer) is no part of it.
final class LineIdentities {
    private static let prefix = "import"
    private static let hashBytes = 16

    /// The number of lines so far for each conversation and time, or for each text without a time. Keys are hashes: two
    /// lines with one hash only share the count.
    private var counts: [UInt64: UInt32] = [:]
    private var lastTime = Timestamp(microseconds: .min)

    /// Sets the id of a message without one, and the time of one without a time: now, and after the line before.
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
        all.add(
            message.text, message.senderSessionID, message.recipientSessionID, message.isOutgoing ? "out" : "in",
            message.attachmentURL ?? "", message.attachmentType ?? "", message.replyToMessageID ?? "")
        let hash = SHA256.hash(all.bytes)
        var key = StableHash()
        key.combine(imported.hasNoTime ? hash : place.bytes)
        let position = counts[key.value, default: 0]
        counts[key.value] = position + 1
        let content = Hexadecimal.encode(hash.prefix(Self.hashBytes))
        guard !imported.hasNoTime else { return "\(Self.prefix)-\(content)-\(position)" }
        // Ids sort by time, and for equal times in the order of the file, because the store then orders by id.
        let time = UInt64(bitPattern: message.timestamp.microseconds) ^ (1 << 63)
        return "\(Self.prefix)-\(time, width: 16, radix: 16)-\(position, width: 8, radix: 16)-\(content)"
    }

    /// Concatenated texts, each with its length, so that different lists never give the same bytes.
    private struct Fields {
        private(set) var bytes: [UInt8] = []

        mutating func add(_ texts: String...) {
            for text in texts {
                bytes += Array("\(text.utf8.count):".utf8) + Array(text.utf8)
            }
        }
    }
}
