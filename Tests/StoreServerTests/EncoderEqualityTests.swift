import FoundationEssentials
import NIOCore
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

/// Returns a random text. It may be empty, short (Swift stores such a text inline), long, or not ASCII, because these
/// are encoded by different code.
private func text(_ generator: inout SplitMix) -> String {
    let alphabet: [Character] = ["a", "Z", " ", "é", "漢", "👩‍👩‍👧", "\n", "\0", "ß"]
    let count = [0, 1, 3, 14, 15, 16, 40, 127, 128, 500].randomElement(using: &generator) ?? 0
    return String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
}

private func integer(_ generator: inout SplitMix) -> Int64 {
    let choices: [Int64] = [0, 1, -1, 127, 128, 16_384, 1_700_000_000_000_000, .max, .min]
    return choices.randomElement(using: &generator) ?? 0
}

private func history(_ generator: inout SplitMix) -> HistoryID {
    Bool.random(using: &generator) ? .none : .random()
}

/// Encodes a history id. The id of an absent store is encoded as an empty field.
private func wire(_ history: HistoryID) -> Data {
    Data(history == .none ? [] : history.bytes)
}

private func message(_ generator: inout SplitMix) -> StoredMessage {
    StoredMessage(
        id: EntityID(trusted: text(&generator)), conversationID: EntityID(trusted: text(&generator)),
        text: text(&generator), senderSessionID: text(&generator), recipientSessionID: text(&generator),
        timestamp: Timestamp(microseconds: integer(&generator)),
        status: MessageStatus.allCases.randomElement(using: &generator) ?? .sent,
        isOutgoing: .random(using: &generator), isRead: .random(using: &generator),
        attachmentURL: Bool.random(using: &generator) ? text(&generator) : nil,
        attachmentType: Bool.random(using: &generator) ? text(&generator) : nil,
        replyToMessageID: Bool.random(using: &generator) ? EntityID(trusted: text(&generator)) : nil,
        createdAt: Timestamp(microseconds: integer(&generator)),
        editedAt: Bool.random(using: &generator) ? Timestamp(microseconds: integer(&generator)) : nil,
        reactions: reactions(&generator), timer: timer(&generator),
        expiresAt: Bool.random(using: &generator) ? Timestamp(microseconds: integer(&generator)) : nil,
        attachments: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            .random(text(&generator), text(&generator), byteCount: integer(&generator), &generator)
        }, kind: text(&generator), senderName: text(&generator),
        metadata: Bool.random(using: &generator)
            ? try? Metadata(data: [0] + Array(text(&generator).utf8), type: text(&generator)) : nil)
}

private func timer(_ generator: inout SplitMix) -> MessageTimer? {
    let milliseconds: [UInt64] = [0, 1, 127, 128, 86_400_000, RetentionPeriod.millisecondsMax]
    let lifetime = try? RetentionPeriod(milliseconds: milliseconds.randomElement(using: &generator) ?? 0)
    let start = MessageTimer.Start.allCases.randomElement(using: &generator) ?? .sending
    return lifetime.map { MessageTimer(lifetime: $0, start: start) }
}

private func reactions(_ generator: inout SplitMix) -> ReactionCounts {
    var counts = ReactionCounts()
    for emoji in ["👍", "é", "👩‍👩‍👧‍👦", "🇩🇪"].prefix(.random(in: 0...4, using: &generator)) {
        for _ in 0..<(Bool.random(using: &generator) ? 1 : 200) {
            try? counts.add(Emoji(trusted: emoji))
        }
    }
    return counts
}

/// Builds the same message from generated types, as any other client or server would.
private func wire(_ message: StoredMessage) -> WireMessage {
    var wire = WireMessage()
    wire.id = message.id.text
    wire.conversationID = message.conversationID.text
    wire.text = message.text
    wire.senderSessionID = message.senderSessionID
    wire.recipientSessionID = message.recipientSessionID
    wire.timestampMicroseconds = message.timestamp.microseconds
    wire.status = WireMessageStatus(message.status)
    wire.isOutgoing = message.isOutgoing
    wire.isRead = message.isRead
    if let url = message.attachmentURL { wire.attachmentURL = url }
    if let type = message.attachmentType { wire.attachmentType = type }
    if let id = message.replyToMessageID { wire.replyToMessageID = id.text }
    wire.createdAtMicroseconds = message.createdAt.microseconds
    if let editedAt = message.editedAt { wire.editedAtMicroseconds = editedAt.microseconds }
    wire.reactions = message.reactions.entries.map { entry in
        .with {
            $0.emoji = entry.emoji.text
            $0.count = UInt32(entry.count)
        }
    }
    if let timer = message.timer { wire.timer = WireMessageTimer(timer) }
    if let expiresAt = message.expiresAt { wire.expiresAtMicroseconds = expiresAt.microseconds }
    wire.attachments = message.attachments.map(WireAttachment.init)
    (wire.kind, wire.senderName) = (message.kind, message.senderName)
    if let metadata = message.metadata { wire.metadata = WireMetadata(metadata) }
    return wire
}

private func frame(_ head: ResponseHead, _ result: WireResponse.OneOf_Result) -> ByteBuffer {
    var buffer = ByteBuffer()
    FrameWriter.append(head, result, to: &buffer)
    return buffer
}

private func heads(_ generator: inout SplitMix) -> ResponseHead {
    ResponseHead(id: [0, 1, 127, 128, .max].randomElement(using: &generator) ?? 0, more: .random(using: &generator))
}

@Suite struct EncoderEqualityTests {
    @Test func `encoded messages have the bytes of swift-protobuf`() {
        var generator = TestSeeds.generator(1)
        for _ in 0..<TestTier.count(100, long: 500) {
            let message = message(&generator)
            let head = heads(&generator)
            var buffer = ByteBuffer()
            message.withBorrowed { FrameWriter.append(head, .message, $0, to: &buffer) }
            #expect(buffer == frame(head, .message(wire(message))))
        }
    }

    @Test func `encoded message pages have the bytes of swift-protobuf`() throws {
        var generator = TestSeeds.generator(2)
        for _ in 0..<TestTier.count(20, long: 60) {
            let messages = (0..<Int.random(in: 0...30, using: &generator)).map { _ in message(&generator) }
            let cursors = try (0..<2).map { _ in try MessageCursor("\(integer(&generator)).6a6b") }
            let end = MessagePageEnd(
                first: messages.isEmpty ? nil : cursors[0], last: messages.isEmpty ? nil : cursors[1],
                hasMore: .random(using: &generator))
            let head = heads(&generator)
            // An earlier response in the same buffer must not change.
            var buffer = ByteBuffer(string: "earlier")
            let writer = MessagePageWriter(head, to: &buffer)
            for message in messages {
                message.withBorrowed { writer.append($0, to: &buffer) }
            }
            writer.finish(end, to: &buffer)
            let expected = WireListMessagesResponse.with {
                $0.messages = messages.map(wire)
                $0.firstCursor = end.first?.text ?? ""
                $0.lastCursor = end.last?.text ?? ""
                $0.hasMore_p = end.hasMore
            }
            #expect(buffer.readString(length: 7) == "earlier")
            #expect(buffer == frame(head, .messages(expected)))
        }
    }

    @Test func `an unusually large message page has the bytes of swift-protobuf`() {
        var generator = SplitMix(seed: 5)
        var long = message(&generator)
        long.text = String(repeating: "é", count: 1 << 20)
        var buffer = ByteBuffer(string: "earlier")
        let writer = MessagePageWriter(ResponseHead(id: 1), to: &buffer)
        long.withBorrowed { writer.append($0, to: &buffer) }
        writer.finish(MessagePageEnd(first: nil, last: nil, hasMore: false), to: &buffer)
        #expect(buffer.readString(length: 7) == "earlier")
        #expect(buffer == frame(ResponseHead(id: 1), .messages(.with { $0.messages = [wire(long)] })))
    }

    @Test func `a cancelled page leaves the buffer unchanged`() {
        var generator = SplitMix(seed: 4)
        var buffer = ByteBuffer(string: "earlier")
        let writer = MessagePageWriter(ResponseHead(id: 1), to: &buffer)
        message(&generator).withBorrowed { writer.append($0, to: &buffer) }
        writer.cancel(&buffer)
        #expect(buffer == ByteBuffer(string: "earlier"))
    }

    @Test func `encoded scene values have the bytes of swift-protobuf`() throws {
        var generator = SplitMix(seed: 4)
        for _ in 0..<60 {
            let values = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
                Bool.random(using: &generator) ? WireSceneValue.with { $0.string = text(&generator) } : nil
            }
            let entries = try values.map { value in
                SceneEntry(
                    key: SceneKey(trusted: text(&generator)), tier: Bool.random(using: &generator) ? .scene : .global,
                    revision: UInt64(bitPattern: integer(&generator)),
                    updatedAt: Timestamp(microseconds: integer(&generator)), value: try value?.serializedBytes())
            }
            let page = SceneEntryPage(
                entries: entries, revision: UInt64(bitPattern: integer(&generator)), history: history(&generator),
                nextCursor: text(&generator))
            let expected = WireGetSceneValuesResponse.with {
                $0.entries = zip(entries, values).map { entry, value in
                    .with {
                        $0.key = entry.key.text
                        $0.tier = entry.tier == .scene ? .scene : .global
                        $0.revision = entry.revision
                        $0.updatedAtMicroseconds = entry.updatedAt.microseconds
                        if let value { $0.value = value }
                    }
                }
                $0.revision = page.revision
                $0.nextCursor = page.nextCursor ?? ""
                $0.historyID = wire(page.history)
            }
            let head = heads(&generator)
            var buffer = ByteBuffer()
            FrameWriter.append(head, .sceneValues, page, to: &buffer)
            #expect(buffer == frame(head, .sceneValues(expected)))
        }
    }

    @Test func `encoded log pages have the bytes of swift-protobuf`() throws {
        var generator = SplitMix(seed: 5)
        for _ in 0..<60 {
            let first = UInt64.random(in: 1...1_000, using: &generator)
            let info = Log(
                name: LogName(trusted: text(&generator)),
                configuration: LogConfiguration(
                    maximumBytes: UInt64.random(in: 0...(1 << 40), using: &generator),
                    overwritesOldest: Bool.random(using: &generator)),
                isReplicated: Bool.random(using: &generator), createdAt: Timestamp(microseconds: integer(&generator)),
                createdRevision: UInt64.random(in: 0...300, using: &generator),
                sequences: Bool.random(using: &generator) ? first...(first + 9) : nil,
                usedBytes: UInt64.random(in: 0...300, using: &generator))
            let entries = (0..<Int.random(in: 0...10, using: &generator)).map { index in
                LogEntry(
                    sequence: first + UInt64(index), data: Array((text(&generator) + "x").utf8),
                    device: Bool.random(using: &generator) ? UInt64(bitPattern: integer(&generator)) : nil,
                    appendedAt: Bool.random(using: &generator) ? Timestamp(microseconds: integer(&generator)) : nil,
                    metadata: index % 3 == 0 ? try? Metadata(data: [UInt8(index)], type: text(&generator)) : nil)
            }
            let page = LogPage(
                info: info, entries: entries, hasMore: Bool.random(using: &generator), history: history(&generator),
                place: Bool.random(using: &generator) ? .start : nil)
            let expected = WireReadLogResponse.with {
                $0.entries = entries.map { entry in
                    .with {
                        $0.sequence = entry.sequence
                        $0.data = Data(entry.data)
                        $0.device = entry.device ?? 0
                        $0.appendedAtMicroseconds = entry.appendedAt?.microseconds ?? 0
                        if let metadata = entry.metadata { $0.metadata = WireMetadata(metadata) }
                    }
                }
                $0.hasMore_p = page.hasMore
                $0.place = Data(page.place?.bytes ?? [])
                $0.log = WireLog(info, for: .all)
                $0.historyID = wire(page.history)
            }
            let head = heads(&generator)
            var buffer = ByteBuffer()
            FrameWriter.append(head, .logEntries, page, to: &buffer)
            #expect(buffer == frame(head, .logEntries(expected)))
        }
    }

    @Test func `encoded parts of files have the bytes of swift-protobuf`() throws {
        var generator = SplitMix(seed: 7)
        for number in 0..<60 {
            let kind: FileItem.Kind =
                number == 0 ? .directory : .file(byteCount: UInt64(bitPattern: integer(&generator)))
            let item = FileItem(
                name: FileName(trusted: text(&generator)), kind: kind,
                createdAt: Timestamp(microseconds: integer(&generator)),
                modifiedAt: Timestamp(microseconds: integer(&generator)),
                revision: UInt64(bitPattern: integer(&generator)))
            let bytes = Array(text(&generator).utf8)
            let expected = WireReadFileResponse.with {
                $0.data = Data(bytes)
                $0.file = WireFile(item)
            }
            let head = heads(&generator)
            let piece = try ContentPiece(.fileData, PieceMemory(bytes), of: item.protobufBytes)
            #expect(piece.frame(head) == frame(head, .fileData(expected)))
            let attachment = Attachment.random("a", "b", byteCount: 5, &generator)
            let data = WireReadAttachmentResponse.with {
                ($0.data, $0.attachment) = (expected.data, WireAttachment(attachment))
            }
            let attached = try ContentPiece(.attachmentData, PieceMemory(bytes), of: attachment.protobufBytes)
            #expect(attached.frame(head) == frame(head, .attachmentData(data)))
        }
    }

    @Test func `encoded changes have the bytes of swift-protobuf`() {
        var generator = SplitMix(seed: 3)
        for _ in 0..<60 {
            let changes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                Change(
                    revision: UInt64(bitPattern: integer(&generator)),
                    kind: EntityKind.allCases.randomElement(using: &generator) ?? .message,
                    operation: ChangeOperation.allCases.randomElement(using: &generator) ?? .created,
                    id: text(&generator), parent: text(&generator),
                    committedAt: Timestamp(microseconds: integer(&generator)), kindName: text(&generator))
            }
            let wireChanges = changes.map { change in
                WireChange.with {
                    $0.revision = change.revision
                    $0.kind = WireEntityKind(rawValue: Int(change.kind.rawValue)) ?? .unspecified
                    $0.operation = WireChangeOperation(rawValue: Int(change.operation.rawValue)) ?? .unspecified
                    $0.id = change.id
                    $0.parentID = change.parent
                    $0.committedAtMicroseconds = change.committedAt.microseconds
                    $0.kindName = change.kindName
                }
            }
            let head = heads(&generator)
            let revision = UInt64(bitPattern: integer(&generator))
            var buffer = ByteBuffer()
            let id = history(&generator)
            FrameWriter.append(
                head, .watchEvent, WatchEvent(changes: changes, revision: revision, history: id), to: &buffer)
            #expect(
                buffer
                    == frame(
                        head,
                        .watchEvent(
                            .with {
                                $0.changes = wireChanges
                                $0.revision = revision
                                $0.historyID = wire(id)
                            })))
            let page = ChangePage(
                changes: changes, throughRevision: .random(in: 0...2, using: &generator), revision: revision,
                history: id)
            buffer = ByteBuffer()
            FrameWriter.append(head, .changes, page, to: &buffer)
            #expect(
                buffer
                    == frame(
                        head,
                        .changes(
                            .with {
                                $0.changes = wireChanges
                                $0.revision = revision
                                $0.hasMore_p = page.hasMore
                                $0.throughRevision = page.throughRevision
                                $0.historyID = wire(id)
                            })))
        }
    }

    @Test func `encoded commits have the bytes of swift-protobuf`() {
        var generator = SplitMix(seed: 4)
        for _ in 0..<TestTier.count(50, long: 200) {
            var commit = Commit()
            commit.revision = UInt64(bitPattern: integer(&generator))
            commit.ids = (0..<Int.random(in: 0...3, using: &generator)).map { _ in text(&generator) }
            commit.createdCount = Int.random(in: 0...300, using: &generator)
            commit.updatedCount = Int.random(in: 0...2, using: &generator)
            commit.deletedCount = Int.random(in: 0...2, using: &generator)
            commit.isReplayed = .random(using: &generator)
            commit.valueRevisions = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                UInt64(bitPattern: integer(&generator))
            }
            let head = heads(&generator)
            var buffer = ByteBuffer()
            FrameWriter.append(head, .commit, commit, to: &buffer)
            let expected = WireCommit.with {
                $0.revision = commit.revision
                $0.ids = commit.ids
                $0.createdCount = UInt32(commit.createdCount)
                $0.updatedCount = UInt32(commit.updatedCount)
                $0.deletedCount = UInt32(commit.deletedCount)
                $0.isReplayed = commit.isReplayed
                $0.valueRevisions = commit.valueRevisions
            }
            #expect(buffer == frame(head, .commit(expected)))
        }
    }

    @Test func `an encoded empty result has the bytes of swift-protobuf`() {
        let encoder = ResponseEncoder(frameBytesMax: 1_000)
        var buffer = ByteBuffer()
        #expect(encoder.append(.pong, ResponseHead(id: 9), to: &buffer) == nil)
        #expect(buffer == frame(ResponseHead(id: 9), .ping(WirePingResponse())))
    }

    @Test func `a response that does not fit a frame becomes an error`() throws {
        let encoder = ResponseEncoder(frameBytesMax: 1_000)
        var buffer = ByteBuffer(string: "before")
        let text = String(repeating: "x", count: 2_000)
        let answer = Answer.result(.metrics(.with { $0.text = text }))
        #expect(encoder.append(answer, ResponseHead(id: 9, more: true), to: &buffer) == .responseTooLarge)
        check(buffer.readString(length: 6), "before")
        let length = try unwrap(buffer.readInteger(as: UInt32.self))
        let response = try WireResponse(serializedBytes: try unwrap(buffer.readBytes(length: Int(length))))
        #expect(buffer.readableBytes == 0)
        #expect(response.id == 9)
        #expect(!response.more)
        #expect(response.error.reason == "RESPONSE_TOO_LARGE")
        let frame = encoder.frame(answer, ResponseHead(id: 9))
        #expect(throws: StoreError.answerTooLarge(forFrameOf: 1_000)) { try frame.get() }
    }
}
