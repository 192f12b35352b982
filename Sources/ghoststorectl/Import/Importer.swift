import StoreClient

/// Reads JSON Lines and writes them to the store. The memory it takes does not grow with the file.
struct Importer {
    let client: StoreClient
    let progress: ProgressBar

    /// - Returns: The counts of what was written, and the retention rules of the file, which must still be applied.
    /// - Throws: `CommandFailure` with the number of the faulty line and the counts of what is already in the store.
    func run(
        _ reader: LineReader, totalBytes: UInt64?
    ) async throws -> (summary: ImportSummary, rules: ImportedRules) {
        defer { progress.finish() }
        var lines = ImportLines(reader)
        var lanes = ImportLanes(writer: BatchWriter(client: client))
        let result: Result<(summary: ImportSummary, rules: ImportedRules), CommandFailure>
        result = await withTaskGroup(of: ImportLanes.Sent.self) { group in
            let end = await send(&lines, &lanes, totalBytes, in: &group)
            await lanes.finish(in: &group)
            if let failure = lanes.failure {
                return .failure(Self.refused(failure, lanes.summary))
            }
            guard case .failure(let failure) = end else { return .success((lanes.summary, lanes.rules)) }
            return .failure(Interruption.isRequested ? failure : Self.ended(failure, after: lines.understood))
        }
        return try result.get()
    }

    /// Reads lines and sends them until the end of the file, a malformed line, a failure or an interruption.
    private func send(
        _ lines: inout ImportLines, _ lanes: inout ImportLanes, _ totalBytes: UInt64?,
        in group: inout ImportLanes.Group
    ) async -> Result<Void, CommandFailure> {
        do throws(CommandFailure) {
            while lanes.failure == nil, !Interruption.isRequested, let line = try lines.next() {
                await lanes.add(line.record, lineNumber: lines.number, lineBytes: line.lineBytes, in: &group)
                progress.update(
                    done: lines.bytesRead, total: totalBytes, note: Quantity.count(lines.number, "line"))
            }
        } catch  where !Interruption.isRequested {
            return .failure(error)
        } catch {}
        guard Interruption.isRequested else { return .success(()) }
        await lanes.finish(in: &group)
        progress.finish()
        Diagnostics.write(
            "the store has \(Quantity.count(lines.number, "line")) of the file; hint: import the file again to "
                + "continue; nothing is saved twice")
        return Result { () throws(CommandFailure) in try Interruption.check() }
    }

    private static let again = "correct the line and import the file again: nothing is saved twice"

    /// Adds to the failure the number of lines that are in the store: all lines before the malformed or unreadable one.
    private static func ended(_ failure: CommandFailure, after count: UInt64) -> CommandFailure {
        guard count > 0 else {
            return failure.advising("each line is one object; 'ghoststorectl help messages import' names its fields") {
                "\($0); nothing was changed"
            }
        }
        let lines = count == 1 ? "the line before it is" : "the \(count) lines before it are"
        return failure.advising(again) { "\($0); \(lines) in the store" }
    }

    /// Adds the counts of what is in the store to the failure. A line number would say too little, because lines near a
    /// rejected line may or may not be in the store.
    private static func refused(_ failure: CommandFailure, _ summary: ImportSummary) -> CommandFailure {
        failure.advising(failure.hint ?? again) { "\($0); of the file, \(summary.counts) are in the store" }
    }

    /// Reads every line without changing the store.
    ///
    /// - Returns: The counts of what an import would write.
    static func check(_ reader: LineReader) throws(CommandFailure) -> ImportSummary {
        var lines = ImportLines(reader)
        var summary = ImportSummary()
        while let line = try lines.next() {
            var batch = ImportBatch()
            batch.add(line.record, lineNumber: lines.number, lineBytes: line.lineBytes)
            summary.conversationCount += batch.conversations.count
            summary.contactCount += batch.contacts.count
            summary.messageCount += batch.requests.reduce(0) { $0 + $1.entries.count }
        }
        return summary
    }
}

/// Reads and decodes the lines of an import one by one. Empty lines are skipped.
struct ImportLines {
    private let reader: LineReader
    private let identities = LineIdentities()
    /// The number of lines that were read without a fault, including empty ones.
    private(set) var understood: UInt64 = 0

    init(_ reader: LineReader) {
        self.reader = reader
    }

    /// The number of the line that was read last, starting at 1.
    var number: UInt64 { reader.lineNumber }
    var bytesRead: UInt64 { reader.bytesRead }

    /// - Returns: `nil` at the end.
    mutating func next() throws(CommandFailure) -> (record: ImportRecord, lineBytes: Int)? {
        while let line = try reader.next() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                understood = reader.lineNumber
                continue
            }
            do throws(JSONError) {
                let record = try ImportRecord.parse(line, lineNumber: reader.lineNumber)
                understood = reader.lineNumber
                guard case .message(var message) = record else { return (record, line.count) }
                identities.complete(&message)
                return (.message(message), line.count)
            } catch {
                throw CommandFailure(.badData, "line \(reader.lineNumber): \(error.message)")
            }
        }
        return nil
    }
}

/// The decoded form of one line of an import.
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
        default: throw JSONError("the field 'kind' must be message, conversation or contact")
        }
    }

    /// A key that all records of one conversation, or of one contact, share. Records with the same key must be written
    /// in the order of the file.
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

/// The counts of what an import wrote.
struct ImportSummary: Sendable {
    var conversationCount = 0
    var contactCount = 0
    var messageCount = 0
    /// The number of messages that were not in the store before.
    var newMessageCount = 0
    /// The number of messages in the store that the file's retention rules delete.
    var deletedMessageCount = 0

    static func + (left: ImportSummary, right: ImportSummary) -> ImportSummary {
        ImportSummary(
            conversationCount: left.conversationCount + right.conversationCount,
            contactCount: left.contactCount + right.contactCount, messageCount: left.messageCount + right.messageCount,
            newMessageCount: left.newMessageCount + right.newMessageCount,
            deletedMessageCount: left.deletedMessageCount + right.deletedMessageCount)
    }

    /// The counts in words: messages, conversations and contacts.
    var counts: String {
        "\(Quantity.count(messageCount, "message")), \(Quantity.count(conversationCount, "conversation")) and "
            + Quantity.count(contactCount, "contact")
    }

    /// The result as a sentence. Conversations that a saved message created are not counted, because they are not lines
    /// of the file.
    var sentence: String {
        var parts = ["\(Quantity.count(messageCount, "message")) (\(newMessageCount) new)"]
        if conversationCount > 0 {
            parts.append(Quantity.count(conversationCount, "conversation"))
        }
        if contactCount > 0 {
            parts.append(Quantity.count(contactCount, "contact"))
        }
        let deleted =
            deletedMessageCount > 0
            ? "; the file's keep_for and keep_count now delete \(Quantity.count(deletedMessageCount, "message"))" : ""
        return "imported " + parts.joined(separator: ", ") + deleted
    }

    func json(lineCount: UInt64) -> JSONObject {
        [
            "lines": lineCount,
            "messages": messageCount,
            "new_messages": newMessageCount,
            "deleted_messages": deletedMessageCount,
            "conversations": conversationCount,
            "contacts": contactCount,
        ]
    }
}
