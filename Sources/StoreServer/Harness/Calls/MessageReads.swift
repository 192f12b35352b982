import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// Reads of messages, written as answers row by row while they are read.
struct MessageReads {
    let reader: StoreReader
    /// Largest payload of an answer, in bytes.
    let frameBytesMax: Int

    enum Outcome {
        case written
        /// Nothing was written.
        case failed(StoreError)
        /// Nothing was written: the page has more bytes than were allowed.
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

    /// - Parameter bytesMax: of the messages; a page beyond it is given up at once.
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

    /// A page of any size that fits a frame.
    func list(_ query: MessageQuery, _ head: ResponseHead, to buffer: inout ByteBuffer) -> Outcome {
        let outcome = list(query, head, bytesMax: frameBytesMax - Self.pageFieldsBytesMax, to: &buffer)
        if case .tooLong = outcome {
            return .failed(.answerTooLarge(forFrameOf: frameBytesMax))
        }
        return outcome
    }

    /// What a page has besides its messages: two cursors (a time and an id, of which each byte is two digits), tags and
    /// lengths.
    private static let pageFieldsBytesMax = 2 * (32 + 2 * EntityID.bytesMax) + 128
}
