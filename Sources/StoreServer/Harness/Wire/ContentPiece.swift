import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// A part of a file or an attachment as its answer: bytes (field 1), then what they are of (field 2). The bytes stay
/// where they were read to: what stands before them in the frame is put into room that was left for it.
struct ContentPiece: Sendable {
    let field: ResultField
    /// What they are of, encoded.
    let item: [UInt8]
    private let byteCount: Int
    /// Taken by the frame, which nobody may share while it is changed.
    private let memory: TakeOnce<PieceMemory>

    init(_ field: ResultField, _ memory: consuming PieceMemory, of item: [UInt8]) {
        self.field = field
        self.item = item
        byteCount = memory.buffer.readableBytes
        self.memory = TakeOnce(memory)
    }

    /// What a frame has besides the bytes.
    private struct Outline {
        let head: ResponseHead
        let resultBytes: Int
        let payloadBytes: Int
        /// Of the frame before the bytes, and behind them.
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

    /// Bytes of the payload that it comes to.
    func payloadBytes(_ head: ResponseHead) -> Int {
        outline(head).payloadBytes
    }

    /// The frame, in the memory that the bytes were read to.
    ///
    /// - Precondition: no frame was made of it before.
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

/// Memory that a piece is read to, with room for what a frame has before it.
struct PieceMemory: ~Copyable, Sendable {
    /// More than the head of any frame has.
    private static let headRoomBytes = 64
    /// What most items take behind the bytes.
    private static let tailRoomBytes = 448

    fileprivate private(set) var buffer = ByteBuffer()

    /// Makes room and has it filled.
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

    /// With so many bytes before the piece, for the caller to write.
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
