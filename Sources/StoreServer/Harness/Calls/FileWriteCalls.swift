import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum FileWriteCalls {
    static let beginFileWrite = CallRule(.write(.files), .read, namesEntry: true) {
        (request: WireBeginFileWriteRequest, _) throws(RequestFailure) in
        .fileWrite(
            .begin(
                FileWriteRequest(
                    path: try FilePath(wire: request.path), place: try place(of: request),
                    createsParents: request.createsParents,
                    byteCount: request.hasByteCount ? request.byteCount : nil)))
    }

    static let writeFile = CallRule(.continueFileWrite, .read, bytesMax: CallLimits.pieceBytesMax) {
        (request: WireWriteFileRequest, _) throws(RequestFailure) in
        .fileWrite(.write(FileWriteID(number: request.write), offset: request.offset, data: [UInt8](request.data)))
    }

    /// A repetition is answered as the first was, also once the write has ended.
    static let finishFileWrite = CallRule(.continueFileWrite, .read, takesKey: true) {
        (request: WireFinishFileWriteRequest, _) throws(RequestFailure) in
        .fileWrite(.finish(FileWriteID(number: request.write)))
    }

    static let endFileWrite = CallRule(.none, .read) {
        (request: WireEndFileWriteRequest, _) throws(RequestFailure) in
        .fileWrite(.end(FileWriteID(number: request.write)))
    }

    private static func place(
        of request: WireBeginFileWriteRequest
    ) throws(RequestFailure) -> FileWriteRequest.Place {
        switch request.place {
        case .whole: return .whole
        case .end: return .end
        case .offset: return .offset(request.offset)
        case .unspecified, .UNRECOGNIZED:
            throw .invalidArgument("the place of the write is missing, or one that this daemon does not know; name it")
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
