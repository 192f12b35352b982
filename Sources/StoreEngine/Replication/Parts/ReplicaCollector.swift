import ReplicaModel
import SQLCipher
import StoreBasics

/// The state of one step of collecting: the time of the current change, the states that have changed, and the records
/// for the batch.
struct ReplicaCollector {
    let device: UInt64
    let selection: ReplicaSelection
    let clock: HybridClock
    /// When the current change was committed. Values that no entry of the change log explains get the time of the step.
    var changedAt: Timestamp
    var states = ReplicaStates()
    /// The encoded records, one after the other.
    private(set) var payload: [UInt8] = []
    /// The session ids of conversations that the batch already contains.
    private var includedConversations: Set<String> = []
    /// The ids of conversations that were already looked up for the batch.
    private var includedConversationIDs: Set<String> = []
    /// The session ids by the numbers of the conversations. They stay valid because collecting changes none of them.
    private var sessionIDs: [Int64: String] = [:]
    /// Contacts and conversations whose local change has an earlier time than their last update, because the clock is
    /// slow.
    private(set) var overtaken: Set<ThingName> = []
    /// The sequence that the batch will have in this device's channel; 0 if the store is in no group.
    let sequence: UInt64
    /// True if the store is in no group: changes then get stamps, and nothing is published.
    let isSilent: Bool
    /// The contents that were already examined for the batch.
    private var lookedAtContents: Set<AttachmentDigest> = []

    init(_ group: ReplicaGroupRow, now: Timestamp) {
        device = group.device
        selection = group.selection
        clock = group.clock
        sequence = group.lastSequence + 1
        isSilent = false
        changedAt = now
    }

    /// Creates the collector for a store that is in no group.
    init(_ former: FormerGroupRow, now: Timestamp) {
        device = former.device
        selection = former.selection
        clock = former.clock
        sequence = 0
        isSilent = true
        changedAt = now
    }

    func stamp(after time: UInt64) -> ReplicaStamp {
        ReplicaStamp(time: clock.time(after: time, ofChangeAt: changedAt), device: device)
    }

    mutating func add(_ record: ReplicaRecord) {
        guard !isSilent else { return }
        record.append(to: &payload)
    }

    /// - Returns: False if the batch already contains the conversation.
    mutating func beginConversation(_ sessionID: String) -> Bool {
        includedConversations.insert(sessionID).inserted
    }

    /// - Returns: False if the conversation was already looked up for the batch.
    mutating func beginConversation(id: String) -> Bool {
        includedConversationIDs.insert(id).inserted
    }

    mutating func sessionID(of conversation: Int64, _ connection: Connection) throws(StoreError) -> String? {
        if let known = sessionIDs[conversation] { return known }
        let sessionID = try ReplicaCollecting.sessionID(of: conversation, connection)
        sessionIDs[conversation] = sessionID
        return sessionID
    }

    /// - Returns: False if the content was already examined for the batch.
    mutating func beginContent(_ digest: AttachmentDigest) -> Bool {
        lookedAtContents.insert(digest).inserted
    }
}

extension ReplicaCollector {
    /// Gives the time of the current change to each field of a thing (`ThingKind`) whose value differs from the last
    /// known one.
    ///
    /// If several changes are collected together, only the last value is visible. So a field may first get the time of
    /// an earlier change. Its own last change, collected later, corrects it.
    ///
    /// - Parameters:
    ///   - present: The thing as it is now.
    ///   - wasRemoved: True if the thing was removed in the meantime, even if it exists now.
    ///   - scope: The fields that this change and the following ones are about.
    ///   - time: Another time that a removal has to be later than.
    /// - Returns: The record of the change; `nil` if nothing has changed.
    mutating func capture(
        _ name: ThingName, as present: PresentThing?, wasRemoved: Bool, in scope: ChangeScope = ChangeScope(),
        after time: UInt64 = 0, _ connection: Connection
    ) throws(StoreError) -> ThingRecord? {
        var state = try states.state(of: name, connection)
        let before = state
        var record = ThingRecord(name: name, touchedAt: max(present?.touchedAt ?? 0, state.touchedAt))
        if name.kind.hasRemovals, wasRemoved || present == nil, state != ThingState() {
            state.remove(at: stamp(after: max(state.newestTime, time)))
        }
        for field in name.kind.fields where present != nil || !name.kind.hasRemovals {
            let value = state.completed(present?.values[field], field, of: name.kind)
            let digest = ValueDigest(of: value)
            let known = state.mark(of: field)
            let isKnown = known.map { $0.digest == digest && $0.stamp > state.removal } ?? (value == nil)
            if isKnown ? scope.isLater(field, than: known, changedAt) : !scope.later.contains(field) {
                let place = name.kind.textPlace(of: field)
                let change = FieldRecord(
                    field: field, stamp: stamp(after: state.newestTime), value: value,
                    basis: place == nil ? nil : known?.stamp ?? .zero)
                if let place {
                    // The new edit replaces this device's earlier edit, even if the earlier edit was stored as a lost
                    // edit.
                    try LostEditRows.delete(at: place, name.parts[0], by: device, connection)
                }
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

    /// Adds the record with which a store that lacks the conversation can create it. It precedes the conversation's
    /// messages and draft.
    mutating func publishConversation(_ sessionID: String, _ replica: ReplicaWrites) throws(StoreError) {
        guard selection.contains(.conversations, sessionID), beginConversation(sessionID) else { return }
        let name = ThingName(.conversation, sessionID)
        let present = try replica.things.present(name)
        if let present {
            try replica.collecting.recordSessionID(.conversation, present, sessionID: sessionID)
        }
        if let record = try capture(name, as: present, wasRemoved: false, replica.connection) {
            add(.thing(record))
            return
        }
        let state = try states.state(of: name, replica.connection)
        guard let identity = state.mark(of: .identity) else { return }
        let field = FieldRecord(field: .identity, stamp: identity.stamp, value: state.identity)
        add(.thing(ThingRecord(name: name, removal: state.removal, touchedAt: state.touchedAt, fields: [field])))
    }
}

extension ThingKind {
    /// True for kinds with several fields. Such a thing is removed by a removal stamp, which removes all fields with an
    /// older stamp. A thing with one value is removed by a record without a value.
    var hasRemovals: Bool {
        switch self {
        case .contact, .conversation, .log: true
        case .draft, .sceneValue, .reaction, .file, .member: false
        }
    }
}

extension ReplicaCollecting {
    /// Stores the session id of the contact or conversation with an id, for later changes that contain only the id.
    func recordSessionID(_ kind: ThingKind, _ present: PresentThing, sessionID: String) throws(StoreError) {
        guard let identity = present.values[.identity] else { return }
        try ReplicaNameRows.write(kind, id: ThingIdentity(identity).id.text, sessionID: sessionID, connection)
    }
}

/// The fields that changes are about, according to the change log.
struct ChangeScope {
    /// The fields of the current change; empty if they are not known.
    var changed: FieldSet = []
    /// The fields of following changes of the same thing, which give these fields their time.
    var later: FieldSet = []

    /// Returns whether a field that has its last known value was changed since, to another value and back.
    func isLater(_ field: FieldNumber, than known: ThingState.Mark?, _ changedAt: Timestamp) -> Bool {
        guard changed.contains(field), !later.contains(field) else { return false }
        // If the field has no known value, it has no value now either. A change of exactly this field then means that
        // the field was set and cleared again.
        guard let known else { return changed != .all }
        return known.stamp.time < HybridClock.time(at: changedAt)
    }
}
