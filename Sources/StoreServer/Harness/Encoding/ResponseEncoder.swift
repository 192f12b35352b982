internal import NIOCore
internal import StoreEngine
internal import StoreProtocol
internal import SwiftProtobuf

/// Turns answers into frames: the only place where protobuf of responses is written.
struct ResponseEncoder: Sendable {
    /// Largest payload this daemon takes and sends, in bytes.
    let frameBytesMax: Int
    let serverVersion: String

    /// Appends one frame. A result that does not fit a frame becomes the error RESPONSE_TOO_LARGE.
    func append(_ answer: Answer, _ head: ResponseHead, to buffer: inout ByteBuffer) {
        let start = buffer.writerIndex
        encode(answer, head, to: &buffer)
        guard buffer.writerIndex - start - FrameLimits.headerBytes <= frameBytesMax else {
            buffer.moveWriterIndex(to: start)
            let failure = RequestFailure(
                .responseTooLarge, "the answer is larger than a frame of \(frameBytesMax) bytes; ask for less at once")
            FrameWriter.append(ResponseHead(id: head.id), .error(Self.wire(failure)), to: &buffer)
            return
        }
    }

    private func encode(_ answer: Answer, _ head: ResponseHead, to buffer: inout ByteBuffer) {
        switch answer {
        case .pong:
            FrameWriter.append(head, result: 11, resultBytes: 0, to: &buffer) { _ in }
        case .commit(let commit):
            CommitEncoder.append(head, commit, to: &buffer)
        case .sceneValues(let page):
            SceneEncoder.append(head, page, to: &buffer)
        case .logEntries(let page):
            LogEncoder.append(head, page, to: &buffer)
        case .appended(let sequences, let isReplayed):
            LogEncoder.append(head, appended: sequences, isReplayed: isReplayed, to: &buffer)
        case .changes(let page):
            ChangeEncoder.append(head, page, to: &buffer)
        case .watchEvent(let changes, let revision):
            ChangeEncoder.append(head, watchEvent: changes[...], revision: revision, to: &buffer)
        default:
            FrameWriter.append(head, result(of: answer), to: &buffer)
        }
    }

    private func result(of answer: Answer) -> WireResponse.OneOf_Result {
        switch answer {
        case .hello(let uid): .hello(hello(uid: uid))
        case .status(let report): .status(Self.wire(report))
        case .metrics(let text): .metrics(.with { $0.text = text })
        case .cancelled: .cancel(WireCancelResponse())
        case .failure(let failure): .error(Self.wire(failure))
        case .progress(let done, let total):
            .progress(
                .with {
                    $0.done = done
                    $0.total = total
                })
        case .statistics(let statistics, let databaseBytes):
            .statistics(Self.wire(statistics, databaseBytes: databaseBytes))
        case .blob(let result): Self.wire(result)
        case .conversation(let conversation): .conversation(Self.wire(conversation))
        case .conversations(let page): .conversations(Self.wire(page))
        case .contact(let contact): .contact(Self.wire(contact))
        case .contacts(let page): .contacts(Self.wire(page))
        case .scenes(let page): .scenes(Self.wire(page))
        case .log(let info): .log(Self.wire(info))
        case .logs(let page): .logs(Self.wire(page))
        case .compacted(let revision): .compactChanges(.with { $0.compactedThroughRevision = revision })
        case .administration(let answer): Self.result(of: answer)
        case .pong, .commit, .sceneValues, .logEntries, .appended, .changes, .watchEvent:
            preconditionFailure("this answer is written by hand")
        }
    }

    private func hello(uid: UInt32) -> WireHelloResponse {
        var hello = WireHelloResponse()
        hello.protocolVersion = ProtocolVersion.current
        hello.serverVersion = serverVersion
        hello.frameBytesMax = UInt32(clamping: frameBytesMax)
        hello.uid = uid
        return hello
    }

    static func wire(_ failure: RequestFailure) -> WireError {
        let rule = failure.reason.rule
        var error = WireError()
        error.code = rule.code
        error.reason = failure.reason.rawValue
        error.message = failure.message
        error.retryable = rule.isRetryable
        if let milliseconds = failure.retryAfterMilliseconds {
            error.details["retry_after_milliseconds"] = "\(milliseconds)"
        }
        return error
    }
}
