import NIOCore
import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// The beginning of a response: the ID of its request, and whether more responses follow.
struct ResponseHead: Hashable, Sendable {
    var id: UInt64
    var more = false

    /// The bytes of the fields `id` and `more`.
    var byteCount: Int {
        (id == 0 ? 0 : ProtobufSize.varintField(1, id)) + (more ? ProtobufSize.varintField(2, 1) : 0)
    }

    func write(to writer: inout ProtobufWriter) {
        if id != 0 {
            writer.varintField(1, id)
        }
        if more {
            writer.varintField(2, 1)
        }
    }
}

/// Appends complete frames to a buffer.
enum FrameWriter {
    /// Appends a frame whose result is encoded by hand; `body` writes exactly `resultBytes` bytes.
    @inline(__always)
    static func append(
        _ head: ResponseHead, _ field: ResultField, resultBytes: Int, to buffer: inout ByteBuffer,
        body: (inout ProtobufWriter) -> Void
    ) {
        let payloadBytes = head.byteCount + ProtobufSize.bytesField(field.rawValue, count: resultBytes)
        let frameBytes = FrameLimits.headerBytes + payloadBytes
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: frameBytes) { bytes in
            bytes.storeBytes(of: UInt32(payloadBytes).bigEndian, as: UInt32.self)
            let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[FrameLimits.headerBytes..<frameBytes])
            var writer = ProtobufWriter(payload)
            head.write(to: &writer)
            writer.startBytesField(field.rawValue, count: resultBytes)
            body(&writer)
            precondition(writer.isFull, "an encoded result must have the computed size")
            return frameBytes
        }
    }

    /// Appends a frame whose result is a value of the engine.
    @inline(__always)
    static func append<Value: WrittenMessage>(
        _ head: ResponseHead, _ field: ResultField, _ value: Value, to buffer: inout ByteBuffer
    ) {
        append(head, field, resultBytes: value.protobufSize, to: &buffer) { value.write(to: &$0) }
    }

    /// Appends a frame whose result swift-protobuf encodes.
    static func append(_ head: ResponseHead, _ result: WireResponse.OneOf_Result, to buffer: inout ByteBuffer) {
        var response = WireResponse()
        response.id = head.id
        response.more = head.more
        response.result = result
        guard let payload: [UInt8] = try? response.serializedBytes() else {
            // Serialization fails only above 2 GiB, which no result reaches.
            preconditionFailure("a response could not be serialized")
        }
        buffer.writeInteger(UInt32(payload.count))
        buffer.writeBytes(payload)
    }
}
