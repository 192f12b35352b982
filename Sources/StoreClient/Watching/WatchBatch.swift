import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// One watch event whose changes are counted but not decoded. The consumer decodes it on its own thread.
struct WatchBatch: Hashable, Sendable {
    let payload: [UInt8]
    let changeCount: Int
    let revision: UInt64
    let history: HistoryID?

    private static let watchEventNumber: UInt32 = 161
    private static let changesField: UInt32 = 1
    private static let revisionField: UInt32 = 2
    private static let historyField: UInt32 = 3

    private struct Outline {
        var changeCount = 0
        var revision: UInt64 = 0
        var history: HistoryID?
    }

    init(payload: [UInt8], changeCount: Int, revision: UInt64, history: HistoryID? = nil) {
        self.payload = payload
        self.changeCount = changeCount
        self.revision = revision
        self.history = history
    }

    /// Creates a batch from an answer.
    ///
    /// - Throws: The daemon's error if the answer is an error.
    init(_ answer: Answer) throws(StoreClientError) {
        guard let outline = answer.payload.withUnsafeBytes({ Self.outline($0) }) else {
            throw try StoreClientError(answer: answer.payload)
        }
        self.init(
            payload: answer.payload, changeCount: outline.changeCount, revision: outline.revision,
            history: outline.history)
    }

    private static func outline(_ payload: UnsafeRawBufferPointer) -> Outline? {
        guard let response = try? ResponseOutline(payload), response.resultNumber == watchEventNumber else {
            return nil
        }
        var reader = ProtobufReader(payload, range: response.result)
        var outline = Outline()
        while let field = try? reader.next() {
            switch (field.number, field.value) {
            case (changesField, .bytes): outline.changeCount += 1
            case (revisionField, .varint(let revision)): outline.revision = revision
            case (historyField, .bytes(let range)): outline.history = HistoryID(bytes: payload[range])
            default: continue
            }
        }
        return outline
    }

    func changes() throws(StoreClientError) -> [Change] {
        guard case .watchEvent(let event)? = try? WireResponse(serializedBytes: payload).result else {
            throw .answerUnreadable("the daemon sent a watch event that cannot be read")
        }
        return event.changes.map(Change.init)
    }
}
