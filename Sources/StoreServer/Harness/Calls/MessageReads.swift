import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// Reads of messages. The answers are encoded row by row during the read.
struct MessageReads {
    let reader: StoreReader
    /// The largest payload of an answer, in bytes.
    let frameBytesMax: Int

    enum Outcome {
        case written
        /// The read failed; nothing was written.
        case failed(StoreError)
        /// The page has more bytes than allowed; nothing was written.
        case tooLong
    }

    func get(_ id: EntityID, _ head: ResponseHead, to buffer: inout ByteBuffer) -> Outcome {
        let start = buffer.writerIndex
        do throws(StoreError) {
            guard try reader.message(id, { FrameWriter.append(head, .message, $0, to: &buffer) }) else {
                return .failed(StoreError(.messageNotFound, "there is no such message"))
            }
        } catch {
            return .failed(error)
        }
        guard buffer.writerIndex - start - FrameLimits.headerBytes <= frameBytesMax else {
            buffer.moveWriterIndex(to: start)
            return .failed(.answerTooLarge(forFrameOf: frameBytesMax))
        }
        return .written
    }

    /// - Parameter bytesMax: The limit for the bytes of the messages. The read stops as soon as the page exceeds it.
    func list(
        _ query: MessageQuery, _ head: ResponseHead, bytesMax: Int, to buffer: inout ByteBuffer
    ) -> Outcome {
        let writer = MessagePageWriter(head, to: &buffer)
        do throws(StoreError) {
            let end = try reader.messages(query) { message in
                writer.append(message, to: &buffer)
                return writer.byteCount(buffer) <= bytesMax ? .goOn : .stop
            }
            guard let end else {
                writer.cancel(&buffer)
                return .tooLong
            }
            writer.finish(end, to: &buffer)
            return .written
        } catch {
            writer.cancel(&buffer)
            return .failed(error)
        }
    }

    /// Reads a page of any size that fits into a frame.
    func list(_ query: MessageQuery, _ head: ResponseHead, to buffer: inout ByteBuffer) -> Outcome {
        let outcome = list(query, head, bytesMax: frameBytesMax - Self.pageFieldsBytesMax, to: &buffer)
        if case .tooLong = outcome {
            return .failed(.answerTooLarge(forFrameOf: frameBytesMax))
        }
        return outcome
    }

    /// The bytes of a page beside its messages: two cursors (a time and an ID, each byte of which becomes two digits),
    /// tags and lengths.
    private static let pageFieldsBytesMax = 2 * (32 + 2 * EntityID.bytesMax) + 128
}
