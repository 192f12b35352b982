import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The calls that write a file in parts.
extension FileCalls {
    static let beginFileWrite = CallRule(.write(.files), .read, names: .itself) {
        (request: WireBeginFileWriteRequest, _) throws(StoreError) in
        .fileWrite(
            .begin(
                FileWriteRequest(
                    path: try FilePath(wire: request.path), place: try place(of: request),
                    createsParents: request.createsParents,
                    byteCount: request.hasByteCount ? request.byteCount : nil)))
    }

    /// Decoded by hand, so that its bytes are copied only once.
    static let writeFile = CallRule(
        .continueFileWrite, .read, bytesMax: CallLimits.pieceBytesMax,
        loopDecodedBytesMax: CallLimits.loopCopiedBytesMax
    ) {
        (call: CallBytes) throws(StoreError) in
        let (write, offset, data) = try piece(in: call.bytes)
        let bytes = UnsafeRawBufferPointer(rebasing: call.bytes[data])
        return .fileWrite(.write(FileWriteID(number: write), offset: offset, data: [UInt8](bytes)))
    }

    /// A repeated call gets the same answer as the first, even after the write has ended.
    static let finishFileWrite = CallRule(.continueFileWrite, .read, acceptsIdempotencyKey: true) {
        (request: WireFinishFileWriteRequest, _) throws(StoreError) in
        .fileWrite(.finish(FileWriteID(number: request.write)))
    }

    static let endFileWrite = CallRule(.none, .read) {
        (request: WireEndFileWriteRequest, _) throws(StoreError) in
        .fileWrite(.end(FileWriteID(number: request.write)))
    }

    private static func piece(
        in call: UnsafeRawBufferPointer
    ) throws(StoreError) -> (write: UInt64, offset: UInt64, data: Range<Int>) {
        var piece: (write: UInt64, offset: UInt64, data: Range<Int>) = (0, 0, 0..<0)
        var message = CallMessage(call)
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .varint(let write)): piece.write = write
            case (2, .varint(let offset)): piece.offset = offset
            case (3, .bytes(let range)): piece.data = range
            default: try message.expectUnknown(field, known: 1...3)
            }
        }
        return piece
    }

    private static func place(
        of request: WireBeginFileWriteRequest
    ) throws(StoreError) -> FileWriteRequest.Place {
        switch request.place {
        case .whole: return .whole
        case .end: return .end
        case .offset: return .offset(request.offset)
        case .unspecified, .UNRECOGNIZED:
            throw .invalidArgument(
                """
                the request does not say where in the file to write, or names a place that this daemon does not know
                """)
        }
    }
}

extension Answer {
    init(_ result: FileWriteResult) {
        self =
            switch result {
            case .begun(let id): .result(.fileWrite(.with { $0.write = id.number }))
            case .continued(let bytesReceived):
                .result(.fileWriteProgress(.with { $0.bytesReceived = bytesReceived }))
            case .finished(let commit): .commit(commit)
            case .ended: .result(.fileWriteEnded(WireEndFileWriteResponse()))
            }
    }
}
