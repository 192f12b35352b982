import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// What a request is answered with. Results that decide latency are written by hand from the engine's terms; the
/// others are protobuf already, without what their caller may not read.
enum Answer: Sendable {
    case failure(RequestFailure)
    case pong
    case commit(Commit)
    case appended(ClosedRange<UInt64>, isReplayed: Bool)
    case sceneValues(SceneEntryPage)
    case logEntries(LogPage)
    case piece(ContentPiece)
    case foundMessages(FoundPage)
    case changes(ChangePage)
    case replicaMessages([ReplicaOutgoing])
    case watchEvent([Change], revision: UInt64, of: HistoryID)
    case result(WireResponse.OneOf_Result)

    static func failure(_ reason: ErrorReason, _ message: String) -> Answer {
        .failure(RequestFailure(reason, message))
    }

    /// What a read gives, or why it could not be made.
    init(_ read: () throws(StoreError) -> Answer) {
        do throws(StoreError) {
            self = try read()
        } catch {
            self = .failure(RequestFailure(error))
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

    /// What a mutation is answered with.
    init(_ result: MutationResult, for scope: AnswerScope) {
        switch result {
        case .commit(let commit): self = .commit(commit)
        case .conversation(let conversation, let isNew, let isReplayed):
            self = ConversationCalls.found(conversation, isNew: isNew, isReplayed: isReplayed, for: scope)
        case .log(let log, let isNew, let isReplayed):
            self = LogCalls.opened(log, isNew: isNew, isReplayed: isReplayed, for: scope)
        case .appended(let sequences, let isReplayed): self = .appended(sequences, isReplayed: isReplayed)
        case .restored: self = .failure(RequestFailure(.internal, "the answer to a restore must be its report"))
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
    func frame(_ answer: Answer, _ head: ResponseHead) -> Result<ByteBuffer, RequestFailure> {
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
    ) -> RequestFailure? {
        let start = buffer.writerIndex
        switch answer {
        case .failure(let failure):
            return failure
        case .pong:
            FrameWriter.append(head, .ping, resultBytes: 0, to: &buffer) { _ in }
        case .commit(let commit):
            CommitEncoder.append(head, commit, to: &buffer)
        case .appended(let sequences, let isReplayed):
            LogEncoder.append(head, appended: sequences, isReplayed: isReplayed, to: &buffer)
        case .sceneValues(let page):
            SceneEncoder.append(head, page, to: &buffer)
        case .logEntries(let page):
            LogEncoder.append(head, page, to: &buffer)
        case .replicaMessages(let messages):
            ReplicaEncoder.append(head, messages, to: &buffer)
        case .piece(let piece):
            guard piece.payloadBytes(head) <= frameBytesMax else { return .answerTooLarge(forFrameOf: frameBytesMax) }
            buffer.writeImmutableBuffer(piece.frame(head))
        case .foundMessages(let page):
            page.append(head, to: &buffer)
        case .changes(let page):
            ChangeEncoder.append(head, page, to: &buffer)
        case .watchEvent(let changes, let revision, let history):
            ChangeEncoder.append(head, watchEvent: changes, revision: revision, of: history, to: &buffer)
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

/// Writes `Commit`, the answer to most mutations, without building protobuf types.
enum CommitEncoder {
    static func append(_ head: ResponseHead, _ commit: Commit, to buffer: inout ByteBuffer) {
        var resultBytes = integerSize(1, Int64(bitPattern: commit.revision))
        for id in commit.ids {
            resultBytes += ProtobufSize.bytesField(2, count: id.utf8.count)
        }
        resultBytes += integerSize(3, Int64(commit.createdCount))
        resultBytes += integerSize(4, Int64(commit.updatedCount))
        resultBytes += integerSize(5, Int64(commit.deletedCount))
        resultBytes += integerSize(6, commit.isReplayed ? 1 : 0)
        let revisionBytes = commit.valueRevisions.reduce(0) { $0 + ProtobufSize.varint($1) }
        resultBytes += revisionBytes == 0 ? 0 : ProtobufSize.bytesField(7, count: revisionBytes)
        resultBytes += integerSize(8, commit.leftReplicaGroup ? 1 : 0)
        FrameWriter.append(head, .commit, resultBytes: resultBytes, to: &buffer) { writer in
            writeInteger(1, Int64(bitPattern: commit.revision), to: &writer)
            for id in commit.ids {
                writer.textField(2, id)
            }
            writeInteger(3, Int64(commit.createdCount), to: &writer)
            writeInteger(4, Int64(commit.updatedCount), to: &writer)
            writeInteger(5, Int64(commit.deletedCount), to: &writer)
            writeInteger(6, commit.isReplayed ? 1 : 0, to: &writer)
            if revisionBytes > 0 {
                writer.startBytesField(7, count: revisionBytes)
                commit.valueRevisions.forEach { writer.varint($0) }
            }
            writeInteger(8, commit.leftReplicaGroup ? 1 : 0, to: &writer)
        }
    }
}

extension WireError {
    init(_ failure: RequestFailure) {
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
