import NIOCore
import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// Which request a response answers, and whether more follow.
struct ResponseHead: Hashable, Sendable {
    var id: UInt64
    var more = false

    /// Bytes of the fields `id` and `more`.
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

/// Field numbers in `Response.result` of the results that are written by hand; tests compare them with service.proto.
enum ResultField: UInt32 {
    case ping = 11
    case commit = 20
    case message = 122
    case messages = 123
    case changes = 160
    case watchEvent = 161
    case foundMessages = 170
    case sceneValues = 201
    case appendLog = 221
    case logEntries = 222
    case fileData = 286
    case attachmentData = 296
    case replicaMessages = 316
}

/// Appends whole frames to a buffer.
enum FrameWriter {
    /// A frame whose result is written by hand: `body` writes exactly `resultBytes` bytes.
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

    /// A frame whose result swift-protobuf writes.
    static func append(_ head: ResponseHead, _ result: WireResponse.OneOf_Result, to buffer: inout ByteBuffer) {
        var response = WireResponse()
        response.id = head.id
        response.more = head.more
        response.result = result
        guard let payload: [UInt8] = try? response.serializedBytes() else {
            // Only above 2 GiB, which no result reaches.
            preconditionFailure("a response could not be serialized")
        }
        buffer.writeInteger(UInt32(payload.count))
        buffer.writeBytes(payload)
    }
}

// Fields with proto3's implicit presence: nothing is written for the default value.

@inline(__always)
func textSize(_ number: UInt32, _ text: String) -> Int {
    let count = text.utf8.count
    return count == 0 ? 0 : ProtobufSize.bytesField(number, count: count)
}

@inline(__always)
func textSize(_ number: UInt32, _ text: UnsafeRawBufferPointer) -> Int {
    text.isEmpty ? 0 : ProtobufSize.bytesField(number, count: text.count)
}

@inline(__always)
func integerSize(_ number: UInt32, _ value: Int64) -> Int {
    value == 0 ? 0 : ProtobufSize.varintField(number, UInt64(bitPattern: value))
}

/// Bytes of the id of a history; that of no store is left out.
@inline(__always)
func historySize(_ number: UInt32, _ history: HistoryID) -> Int {
    history == .none ? 0 : ProtobufSize.bytesField(number, count: HistoryID.byteCount)
}

@inline(__always)
func writeHistory(_ number: UInt32, _ history: HistoryID, to writer: inout ProtobufWriter) {
    guard history != .none else { return }
    history.withUnsafeBytes { writer.bytesField(number, $0) }
}

@inline(__always)
func writeText(_ number: UInt32, _ text: String, to writer: inout ProtobufWriter) {
    if !text.isEmpty {
        writer.textField(number, text)
    }
}

@inline(__always)
func writeText(_ number: UInt32, _ text: UnsafeRawBufferPointer, to writer: inout ProtobufWriter) {
    if !text.isEmpty {
        writer.bytesField(number, text)
    }
}

@inline(__always)
func writeInteger(_ number: UInt32, _ value: Int64, to writer: inout ProtobufWriter) {
    if value != 0 {
        writer.varintField(number, UInt64(bitPattern: value))
    }
}
