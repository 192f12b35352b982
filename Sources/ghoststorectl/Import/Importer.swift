import StoreClient

/// Reads JSON Lines and writes them to the store, in memory that does not grow with the file.
struct Importer {
    let client: StoreClient
    let progress: ProgressBar

    /// - Returns: what was written.
    /// - Throws: `CommandFailure` that names the line; all lines before a malformed one are in the store by then.
    func run(_ reader: LineReader, totalBytes: UInt64?) async throws -> ImportSummary {
        defer { progress.finish() }
        let lines = ImportLines(reader)
        var lanes = ImportLanes(writer: BatchWriter(client: client))
        return try await withThrowingTaskGroup(of: ImportLanes.Sent.self) { group in
            while true {
                if Interruption.isRequested {
                    try await lanes.finish(in: &group)
                    progress.finish()
                    Diagnostics.write(
                        "\(Quantity.count(reader.lineNumber, "line")) of the file are in the store; hint: importing it "
                            + "again goes on from there and duplicates nothing")
                    try Interruption.check()
                }
                let next: Result<(record: ImportRecord, lineBytes: Int)?, CommandFailure>
                next = Result { () throws(CommandFailure) in try lines.next() }
                guard case .success(.some(let line)) = next else {
                    if case .failure = next, Interruption.isRequested { continue }
                    try await lanes.finish(in: &group)
                    _ = try next.get()
                    return lanes.summary
                }
                try await lanes.add(
                    line.record, lineNumber: reader.lineNumber, lineBytes: line.lineBytes, in: &group)
                progress.update(
                    done: reader.bytesRead, total: totalBytes, note: Quantity.count(reader.lineNumber, "line"))
            }
        }
    }
}

/// The lines of an import, understood one by one. Empty lines are passed over.
struct ImportLines {
    private let reader: LineReader

    init(_ reader: LineReader) {
        self.reader = reader
    }

    /// - Returns: `nil` at the end.
    func next() throws(CommandFailure) -> (record: ImportRecord, lineBytes: Int)? {
        while let line = try reader.next() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                continue
            }
            do throws(JSONError) {
                return (try ImportRecord.parse(line, lineNumber: reader.lineNumber), line.count)
            } catch {
                throw CommandFailure(.badData, "line \(reader.lineNumber): \(error.message)")
            }
        }
        return nil
    }
}

/// One line of an import, understood.
enum ImportRecord: Sendable {
    case message(ImportedMessage)
    case conversation(ConversationLine)
    case contact(ContactUpdate)
    case dialog(DialogIdentity, DialogLine)

    static func parse(_ line: [UInt8], lineNumber: UInt64) throws(JSONError) -> ImportRecord {
        let record = try JSONRecord(line: line)
        if DialogLine.isDialog(record) {
            let dialog = try DialogLine.parse(record)
            return .dialog(DialogIdentity(lineNumber: lineNumber, dialog: dialog), dialog)
        }
        switch try record.optionalText("kind") ?? MessageLine.kind {
        case MessageLine.kind: return .message(try MessageLine.parse(record))
        case ConversationLine.kind: return .conversation(try ConversationLine.parse(record))
        case ContactLine.kind: return .contact(try ContactLine.parse(record))
        default: throw JSONError("the field 'kind' is none of message, conversation, contact")
        }
    }

    /// What must be written in the order of the file: everything of one conversation, everything of one contact.
    var orderingKey: String {
        switch self {
        case .message(let imported):
            switch imported.message.conversation {
            case .id(let id): id
            case .sessionID(let sessionID): sessionID
            }
        case .conversation(let conversation): conversation.sessionID
        case .contact(let contact): contact.sessionID
        case .dialog(let identity, _): identity.sessionID
        }
    }
}

/// What an import wrote.
struct ImportSummary: Sendable {
    var conversationCount = 0
    var contactCount = 0
    var messageCount = 0
    /// Of the messages: how many were not there before.
    var newMessageCount = 0

    static func + (left: ImportSummary, right: ImportSummary) -> ImportSummary {
        ImportSummary(
            conversationCount: left.conversationCount + right.conversationCount,
            contactCount: left.contactCount + right.contactCount, messageCount: left.messageCount + right.messageCount,
            newMessageCount: left.newMessageCount + right.newMessageCount)
    }

    var sentence: String {
        let messages = Quantity.count(messageCount, "message")
        return "imported \(messages) (\(newMessageCount) new), \(Quantity.count(conversationCount, "conversation")), "
            + Quantity.count(contactCount, "contact")
    }

    func json(lineCount: UInt64) -> JSONObject {
        [
            "lines": lineCount,
            "messages": messageCount,
            "new_messages": newMessageCount,
            "conversations": conversationCount,
            "contacts": contactCount,
        ]
    }
}
