import StoreClient

/// Cuts messages into requests that fit a frame, whatever one line held: 500 messages of 4 MiB of text in all, and at
/// most 6 KiB of ids and addresses each, stay well under 16 MiB.
enum MessageParts {
    static func split(
        _ entries: [ImportBatch.Entry<ImportedMessage>]
    ) -> [[ImportBatch.Entry<ImportedMessage>]] {
        var parts: [[ImportBatch.Entry<ImportedMessage>]] = []
        var part: [ImportBatch.Entry<ImportedMessage>] = []
        var bytes = 0
        for entry in entries {
            let entryBytes = entry.value.message.text.utf8.count
            let isFull = part.count >= ImportBatch.messagesMax || bytes + entryBytes > ImportBatch.bytesMax
            if isFull, !part.isEmpty {
                parts.append(part)
                part = []
                bytes = 0
            }
            part.append(entry)
            bytes += entryBytes
        }
        return part.isEmpty ? parts : parts + [part]
    }
}
