import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// A part of a file or an attachment as an answer: the bytes (field 1), then a description of their source (field 2).
/// The bytes stay in the memory that they were read into. The beginning of the frame is written into room that was
/// reserved before them.
struct ContentPiece: Sendable {
    let field: ResultField
    /// The encoded description of the file or attachment.
    let item: [UInt8]
    private let byteCount: Int
    /// The memory of the bytes. `frame` removes it from here, because no other code may share the memory while the
    /// frame is completed in it.
    private let memory: TakeOnce<PieceMemory>

    init(_ field: ResultField, _ memory: consuming PieceMemory, of item: [UInt8]) {
        self.field = field
        self.item = item
        byteCount = memory.buffer.readableBytes
        self.memory = TakeOnce(memory)
    }

    /// The sizes of the frame and of its sections.
    private struct Outline {
        let head: ResponseHead
        let resultBytes: Int
        let payloadBytes: Int
        /// The numbers of bytes of the frame before and after the content.
        let headBytes: Int
        let tailBytes: Int
    }

    private func outline(_ head: ResponseHead) -> Outline {
        let dataBytes = byteCount == 0 ? 0 : ProtobufSize.bytesField(1, count: byteCount)
        let tailBytes = ProtobufSize.bytesField(2, count: item.count)
        let resultBytes = dataBytes + tailBytes
        let payloadBytes = head.byteCount + ProtobufSize.bytesField(field.rawValue, count: resultBytes)
        return Outline(
            head: head, resultBytes: resultBytes, payloadBytes: payloadBytes,
            headBytes: FrameLimits.headerBytes + payloadBytes - tailBytes - byteCount, tailBytes: tailBytes)
    }

    func payloadBytes(_ head: ResponseHead) -> Int {
        outline(head).payloadBytes
    }

    /// Returns the frame, in the memory that the bytes were read into.
    ///
    /// - Precondition: The frame is requested only once.
    func frame(_ head: ResponseHead) -> ByteBuffer {
        guard let memory = memory.take() else { preconditionFailure("a piece must be sent only once") }
        let outline = outline(head)
        var buffer = memory.intoBuffer(headBytes: outline.headBytes)
        buffer.withUnsafeMutableReadableBytes { bytes in
            bytes.storeBytes(of: UInt32(outline.payloadBytes).bigEndian, as: UInt32.self)
            var writer = ProtobufWriter(
                UnsafeMutableRawBufferPointer(rebasing: bytes[FrameLimits.headerBytes..<outline.headBytes]))
            head.write(to: &writer)
            writer.startBytesField(field.rawValue, count: outline.resultBytes)
            if byteCount > 0 {
                writer.startBytesField(1, count: byteCount)
            }
            precondition(writer.isFull, "the header of a piece must have the computed size")
        }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: outline.tailBytes) { bytes in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[..<outline.tailBytes]))
            item.withUnsafeBytes { writer.bytesField(2, $0) }
            return outline.tailBytes
        }
        return buffer
    }
}

/// Memory into which a part is read, with room for the beginning of the frame before it.
struct PieceMemory: ~Copyable, Sendable {
    /// Room that is larger than the head of any frame.
    private static let headRoomBytes = 64
    /// Room after the content. It is large enough for most descriptions; the buffer grows for others.
    private static let tailRoomBytes = 448

    fileprivate private(set) var buffer = ByteBuffer()

    /// Allocates the memory and calls `fill` to fill it.
    mutating func fill(
        _ byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
    ) throws(StoreError) {
        buffer = ByteBufferAllocator().buffer(capacity: Self.headRoomBytes + byteCount + Self.tailRoomBytes)
        buffer.moveWriterIndex(forwardBy: Self.headRoomBytes)
        buffer.moveReaderIndex(forwardBy: Self.headRoomBytes)
        var failure: StoreError?
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { memory in
            do throws(StoreError) {
                return try fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]))
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
    }

    /// Returns the memory with the given number of bytes before the part, which the caller must write.
    fileprivate consuming func intoBuffer(headBytes: Int) -> ByteBuffer {
        guard buffer.readableBytes > 0 else {
            buffer.clear(minimumCapacity: headBytes + Self.tailRoomBytes)
            buffer.moveWriterIndex(forwardBy: headBytes)
            return buffer
        }
        precondition(headBytes <= buffer.readerIndex, "the space before a piece must be large enough for every header")
        buffer.moveReaderIndex(to: buffer.readerIndex - headBytes)
        return buffer
    }
}
