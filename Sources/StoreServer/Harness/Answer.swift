import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The answer to a request. Results of calls that must be fast are values of the engine, which are encoded directly.
/// Other results are protobuf messages already, without the parts that their caller may not read.
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

    /// Creates the answer by a read. An error of the read becomes a failure.
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

    init(_ result: MutationResult, for scope: AnswerScope) {
        switch result {
        case .commit(let commit): self = .commit(commit)
        case .conversation(let conversation, let isNew, let isReplayed):
            self = ConversationCalls.found(conversation, isNew: isNew, isReplayed: isReplayed, for: scope)
        case .log(let log, let isNew, let isReplayed):
            self = LogCalls.opened(log, isNew: isNew, isReplayed: isReplayed, for: scope)
        case .appended(let sequences, let isReplayed):
            self = .appended(AppendedEntries(sequences: sequences, isReplayed: isReplayed))
        case .restored: self = .failure(.fault("the answer to a restore must be its report"))
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

/// The answer to an append to an append log.
struct AppendedEntries: Sendable {
    let sequences: ClosedRange<UInt64>
    let isReplayed: Bool
}

/// Messages for the stream of the store's replica group.
struct ReplicaMessages: Sendable {
    let messages: [ReplicaOutgoing]
}

/// Changes for a watcher.
struct WatchEvent: Sendable {
    let changes: [Change]
    /// The event contains all matching changes up to this revision.
    let revision: UInt64
    let history: HistoryID
}

/// The encoder of answers. An answer that does not fit into a frame becomes an error.
struct ResponseEncoder: Sendable {
    /// The largest payload, in bytes, that this daemon accepts and sends.
    let frameBytesMax: Int

    /// Appends a frame. A result that does not fit into a frame becomes the error RESPONSE_TOO_LARGE.
    ///
    /// - Returns: The reason for the failure that the caller receives; `nil` for a result.
    func append(_ answer: Answer, _ head: ResponseHead, to buffer: inout ByteBuffer) -> ErrorReason? {
        guard let failure = appendResult(of: answer, head, to: &buffer) else { return nil }
        FrameWriter.append(ResponseHead(id: head.id), .error(WireError(failure)), to: &buffer)
        return failure.reason
    }

    /// Returns a result as a separate frame, encoded on the thread that read it, or the reason why the request failed.
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

    /// - Returns: The failure if the answer is one, or if the result does not fit into a frame; then nothing was
    ///   written. `nil` if the result was written.
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
