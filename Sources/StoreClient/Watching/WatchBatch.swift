import StoreProtocol
import SwiftProtobuf

/// One watch event as it came: counted, not decoded. The consumer decodes it on its own thread.
struct WatchBatch: Hashable, Sendable {
    let payload: [UInt8]
    let changeCount: Int
    let revision: UInt64

    private static let watchEventNumber: UInt32 = 161
    private static let changesField: UInt32 = 1
    private static let revisionField: UInt32 = 2

    init(payload: [UInt8], changeCount: Int, revision: UInt64) {
        self.payload = payload
        self.changeCount = changeCount
        self.revision = revision
    }

    /// - Throws: the daemon's error when the answer is one.
    init(_ answer: Answer) throws(StoreClientError) {
        let counts = answer.payload.withUnsafeBytes { bytes in
            Self.counts(bytes)
        }
        guard let counts else { throw try StoreClientError(answer: answer.payload) }
        self.init(payload: answer.payload, changeCount: counts.changeCount, revision: counts.revision)
    }

    private static func counts(_ payload: UnsafeRawBufferPointer) -> (changeCount: Int, revision: UInt64)? {
        guard let outline = try? ResponseOutline(payload), outline.resultNumber == watchEventNumber else { return nil }
        var reader = ProtobufReader(payload, range: outline.result)
        var counts = (changeCount: 0, revision: UInt64(0))
        while let field = try? reader.next() {
            switch (field.number, field.value) {
            case (changesField, .bytes): counts.changeCount += 1
            case (revisionField, .varint(let revision)): counts.revision = revision
            default: continue
            }
        }
        return counts
    }

    func changes() throws(StoreClientError) -> [Change] {
        guard case .watchEvent(let event)? = try? WireResponse(serializedBytes: payload).result else {
            throw .answerUnreadable("the daemon sent a watch event that cannot be read")
        }
        return event.changes.map(Change.init)
    }
}
