import NIOCore
import StoreBasics
import StoreProtocol

/// Writes frames: the length, then the request's ID and deadline, then the body.
///
/// The ID and the deadline are fields 1 and 2 of Request. Protobuf accepts fields in any order, and a serialized
/// message is the concatenation of its fields (https://protobuf.dev/programming-guides/encoding/#last-one-wins).
enum RequestFrame {
    private static let idField: UInt32 = 1
    private static let deadlineField: UInt32 = 2
    /// The largest number of bytes that ID and deadline add to a body.
    static let prefixBytesMax = 2 * (1 + 10)

    static func append(
        id: UInt64, deadlineMilliseconds: UInt32, body: [UInt8], to buffer: inout ByteBuffer
    ) {
        let prefixBytes = Self.prefixBytes(id: id, deadlineMilliseconds: deadlineMilliseconds)
        buffer.writeInteger(UInt32(prefixBytes + body.count))
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: prefixBytes) { memory in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: memory[..<prefixBytes]))
            writer.varintField(idField, id)
            if deadlineMilliseconds > 0 {
                writer.varintField(deadlineField, UInt64(deadlineMilliseconds))
            }
            return prefixBytes
        }
        buffer.writeBytes(body)
    }

    /// Returns a frame with its secrets inserted. The caller must wipe it after the write.
    static func withSecrets(
        id: UInt64, deadlineMilliseconds: UInt32, body: RequestBody, allocator: ByteBufferAllocator
    ) -> ByteBuffer? {
        let prefixBytes = Self.prefixBytes(id: id, deadlineMilliseconds: deadlineMilliseconds)
        // The buffer has its final size from the start, because growing it would leave a copy of a secret.
        var buffer = allocator.buffer(capacity: FrameLimits.headerBytes + prefixBytes + body.bytes.count)
        append(id: id, deadlineMilliseconds: deadlineMilliseconds, body: body.bytes, to: &buffer)
        let bodyOffset = FrameLimits.headerBytes + prefixBytes
        for (range, box) in body.secrets {
            guard let secret = box.take(), secret.count == range.count else {
                wipe(buffer)
                return nil
            }
            buffer.withUnsafeMutableReadableBytes { frame in
                secret.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: frame[(bodyOffset + range.lowerBound)...])
                        .copyMemory(from: bytes)
                }
            }
        }
        return buffer
    }

    /// Overwrites the buffer's memory with zeros, even if other buffers share it. A mutable view would copy shared
    /// memory and wipe only the copy, so this uses the immutable view.
    static func wipe(_ buffer: ByteBuffer) {
        buffer.withVeryUnsafeBytes { UnsafeMutableRawBufferPointer(mutating: $0).wipe() }
    }

    private static func prefixBytes(id: UInt64, deadlineMilliseconds: UInt32) -> Int {
        ProtobufSize.varintField(idField, id)
            + (deadlineMilliseconds > 0 ? ProtobufSize.varintField(deadlineField, UInt64(deadlineMilliseconds)) : 0)
    }
}
