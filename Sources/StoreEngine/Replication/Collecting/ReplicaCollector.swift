import ReplicaModel
import SQLCipher
import StoreBasics

/// What a step of collecting has gathered: the clock it gives stamps of, the states it has changed, and the records
/// that say so.
struct ReplicaCollector {
    let device: UInt64
    let selection: ReplicaSelection
    let now: Timestamp
    var clock: HybridClock
    var states = ReplicaStates()
    /// Records as bytes, one behind the other.
    private(set) var payload: [UInt8] = []
    /// Conversations that the batch tells of already.
    private var toldConversations: Set<String> = []
    /// By their ids, as changes name them.
    private var toldConversationIDs: Set<String> = []
    /// By their numbers. Nothing is changed while a batch is collected.
    private var sessionIDs: [Int64: String] = [:]
    /// Contacts and conversations that were changed here by a clock that is behind their last touch.
    private(set) var overtaken: Set<ThingName> = []
    /// Of the batch.
    let sequence: UInt64
    /// Contents that were looked at for the batch.
    private var lookedAtContents: Set<AttachmentDigest> = []

    init(_ group: ReplicaGroupRow, now: Timestamp) {
        device = group.device
        selection = group.selection
        clock = group.clock
        sequence = group.lastSequence + 1
        self.now = now
    }

    mutating func stamp(after time: UInt64) -> ReplicaStamp {
        ReplicaStamp(time: clock.next(after: time, now: now), device: device)
    }

    mutating func add(_ record: ReplicaRecord) {
        record.append(to: &payload)
    }

    /// - Returns: false where the batch tells of it already.
    mutating func beginConversation(_ sessionID: String) -> Bool {
        toldConversations.insert(sessionID).inserted
    }

    /// - Returns: false where the batch was asked for it already.
    mutating func beginConversation(id: String) -> Bool {
        toldConversationIDs.insert(id).inserted
    }

    mutating func sessionID(of conversation: Int64, _ session: WriteSession) throws(StoreError) -> String? {
        if let known = sessionIDs[conversation] { return known }
        let sessionID = try session.sessionID(of: conversation)
        sessionIDs[conversation] = sessionID
        return sessionID
    }

    /// - Returns: false where the batch was asked for it already.
    mutating func beginContent(_ digest: AttachmentDigest) -> Bool {
        lookedAtContents.insert(digest).inserted
    }
}

extension ReplicaCollector {
    /// Gives a stamp to each field that is another than was last known.
    ///
    /// - Parameters:
    ///   - present: as it is now.
    ///   - wasRemoved: it was gone meanwhile, whatever is there now.
    /// - Returns: what is to be told of it; `nil`: nothing.
    mutating func capture(
        _ name: ThingName, as present: PresentThing?, wasRemoved: Bool, _ connection: Connection
    ) throws(StoreError) -> ThingRecord? {
        var state = try states.state(of: name, connection)
        let before = state
        var record = ThingRecord(name: name, touchedAt: max(present?.touchedAt ?? 0, state.touchedAt))
        if name.kind.hasRemovals, wasRemoved || present == nil, state != ThingState() {
            state.remove(at: stamp(after: state.newestTime))
        }
        for field in name.kind.fields where present != nil || !name.kind.hasRemovals {
            let value = present?.values[field]
            let digest = ValueDigest(of: value)
            let known = state.mark(of: field)
            let isKnown = known.map { $0.digest == digest && $0.stamp > state.removal } ?? (value == nil)
            if !isKnown {
                let change = FieldRecord(field: field, stamp: stamp(after: state.newestTime), value: value)
                state.set(change, digest)
                record.fields.append(change)
            } else if field == .identity, let known {
                record.fields.append(FieldRecord(field: field, stamp: known.stamp, value: value))
            }
        }
        state.touchedAt = record.touchedAt
        if name.kind.hasRemovals, let present, present.touchedAt < state.touchedAt {
            overtaken.insert(name)
        }
        record.removal = state.removal
        guard state != before else { return nil }
        states.set(state, of: name)
        return record
    }

    /// What a conversation is to be made by, where a store does not have it: goes before its messages and its draft.
    mutating func tellConversation(_ sessionID: String, _ session: WriteSession) throws(StoreError) {
        guard selection.contains(.conversations, sessionID), beginConversation(sessionID) else { return }
        let name = ThingName(.conversation, sessionID)
        let present = try session.present(name)
        if let present {
            try session.noteName(.conversation, present, sessionID: sessionID)
        }
        if let record = try capture(name, as: present, wasRemoved: false, session.connection) {
            add(.thing(record))
            return
        }
        let state = try states.state(of: name, session.connection)
        guard let identity = state.mark(of: .identity) else { return }
        let field = FieldRecord(field: .identity, stamp: identity.stamp, value: state.identity)
        add(.thing(ThingRecord(name: name, removal: state.removal, touchedAt: state.touchedAt, fields: [field])))
    }
}

extension ThingKind {
    /// It has several fields, and a removal takes those that were changed before it. What is one value is removed by
    /// having none.
    var hasRemovals: Bool {
        switch self {
        case .contact, .conversation, .log: true
        case .draft, .sceneValue, .reaction, .file: false
        }
    }
}

extension WriteSession {
    /// What an id stands for, for when only the id is told.
    func noteName(_ kind: ThingKind, _ present: PresentThing, sessionID: String) throws(StoreError) {
        guard let identity = present.values[.identity] else { return }
        try ReplicaNameRows.write(kind, id: ThingIdentity(identity).id.text, sessionID: sessionID, connection)
    }
}
