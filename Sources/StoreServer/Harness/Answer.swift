import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The answer to a request. Results that decide latency are the engine's values, which become bytes at once; the
/// others are protobuf already, without the parts that their caller may not read.
enum Answer: Sendable {
    case failure(StoreError)
    case pong
    case commit(Commit)
    case appended(AppendedEntries)
    case sceneValues(SceneEntryPage)
    case logEntries(LogPage)
    case piece(ContentPiece)
    case foundMessages(FoundPage)
    case changes(ChangePage)
    case replicaMessages(ReplicaMessages)
    case watchEvent(WatchEvent)
    case result(WireResponse.OneOf_Result)

    static func failure(_ reason: ErrorReason, _ message: String) -> Answer {
        .failure(StoreError(reason, message))
    }

    /// The answer of a read, or its error.
    init(_ read: () throws(StoreError) -> Answer) {
        do throws(StoreError) {
            self = try read()
        } catch {
            self = .failure(error)
        }
    }

    static func progress(done: UInt64, total: UInt64) -> Answer {
        .result(
            .progress(
                .with {
                    $0.done = done
                    $0.total = total
                }))
    }

    /// The answer to a mutation.
    init(_ result: MutationResult, for scope: AnswerScope) {
        switch result {
        case .commit(let commit): self = .commit(commit)
        case .conversation(let conversation, let isNew, let isReplayed):
            self = ConversationCalls.found(conversation, isNew: isNew, isReplayed: isReplayed, for: scope)
        case .log(let log, let isNew, let isReplayed):
            self = LogCalls.opened(log, isNew: isNew, isReplayed: isReplayed, for: scope)
        case .appended(let sequences, let isReplayed):
            self = .appended(AppendedEntries(sequences: sequences, isReplayed: isReplayed))
        case .restored: self = .failure(StoreError(.internal, "the answer to a restore must be its report"))
        case .replica(let result): self = ReplicationCalls.answer(result)
        case .compacted(let revision, let isReplayed):
            self = .result(
                .compactChanges(
                    .with {
                        $0.compactedThroughRevision = revision
                        $0.isReplayed = isReplayed
                    }))
        }
    }
}

/// The answer to an append to a log.
struct AppendedEntries: Sendable {
    let sequences: ClosedRange<UInt64>
    let isReplayed: Bool
}

/// Messages for the log of the store's group.
struct ReplicaMessages: Sendable {
    let messages: [ReplicaOutgoing]
}

/// Changes for a watcher.
struct WatchEvent: Sendable {
    let changes: [Change]
    /// The event is complete up to this revision.
    let revision: UInt64
    let history: HistoryID
}

/// Turns answers into frames.
struct ResponseEncoder: Sendable {
    /// Largest payload this daemon takes and sends, in bytes.
    let frameBytesMax: Int

    /// Appends one frame. A result that does not fit a frame becomes the error RESPONSE_TOO_LARGE.
    ///
    /// - Returns: why the request has failed, as its caller is told; `nil` for a result.
    func append(_ answer: Answer, _ head: ResponseHead, to buffer: inout ByteBuffer) -> ErrorReason? {
        guard let failure = appendResult(of: answer, head, to: &buffer) else { return nil }
        FrameWriter.append(ResponseHead(id: head.id), .error(WireError(failure)), to: &buffer)
        return failure.reason
    }

    /// A result as a frame of its own, made where it was read; else why the request has failed.
    func frame(_ answer: Answer, _ head: ResponseHead) -> Result<ByteBuffer, StoreError> {
        if case .piece(let piece) = answer {
            guard piece.payloadBytes(head) <= frameBytesMax else {
                return .failure(.answerTooLarge(forFrameOf: frameBytesMax))
            }
            return .success(piece.frame(head))
        }
        var frame = ByteBuffer()
        if let failure = appendResult(of: answer, head, to: &frame) {
            return .failure(failure)
        }
        return .success(frame)
    }

    /// - Returns: the failure that the answer is or becomes; nothing has been written then.
    private func appendResult(
        of answer: Answer, _ head: ResponseHead, to buffer: inout ByteBuffer
    ) -> StoreError? {
        let start = buffer.writerIndex
        switch answer {
        case .failure(let failure):
            return failure
        case .pong:
            FrameWriter.append(head, .ping, resultBytes: 0, to: &buffer) { _ in }
        case .commit(let commit):
            FrameWriter.append(head, .commit, commit, to: &buffer)
        case .appended(let entries):
            FrameWriter.append(head, .appendLog, entries, to: &buffer)
        case .sceneValues(let page):
            FrameWriter.append(head, .sceneValues, page, to: &buffer)
        case .logEntries(let page):
            FrameWriter.append(head, .logEntries, page, to: &buffer)
        case .replicaMessages(let messages):
            FrameWriter.append(head, .replicaMessages, messages, to: &buffer)
        case .piece(let piece):
            guard piece.payloadBytes(head) <= frameBytesMax else { return .answerTooLarge(forFrameOf: frameBytesMax) }
            buffer.writeImmutableBuffer(piece.frame(head))
        case .foundMessages(let page):
            page.append(head, to: &buffer)
        case .changes(let page):
            FrameWriter.append(head, .changes, page, to: &buffer)
        case .watchEvent(let event):
            FrameWriter.append(head, .watchEvent, event, to: &buffer)
        case .result(let result):
            FrameWriter.append(head, result, to: &buffer)
        }
        guard buffer.writerIndex - start - FrameLimits.headerBytes <= frameBytesMax else {
            buffer.moveWriterIndex(to: start)
            return .answerTooLarge(forFrameOf: frameBytesMax)
        }
        return nil
    }
}

extension WireError {
    init(_ failure: StoreError) {
        self.init()
        code = failure.reason.code
        reason = failure.reason.rawValue
        message = failure.message
        retryable = failure.reason.isRetryable
        if let milliseconds = failure.retryAfterMilliseconds {
            details["retry_after_milliseconds"] = "\(milliseconds)"
        }
    }
}
