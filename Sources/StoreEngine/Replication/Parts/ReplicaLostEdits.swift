import ReplicaModel
import StoreBasics

/// The part of replication that keeps texts which lose against a concurrent change of the same text.
struct ReplicaLostEdits: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// One of two changes of a text that meet in a merge.
struct TextChange {
    var stamp: ReplicaStamp
    /// The new text; `nil` or empty if the change removed the text.
    var text: String?
}

/// Finds concurrent changes of a text, and keeps the text that loses. Two changes are concurrent if neither device knew
/// the change of the other. A received change contains the stamp of the change that it replaced. If this store has a
/// different change, the other device did not know that change, because a batch is merged only after the batches that
/// its device had merged.
extension ReplicaLostEdits {
    /// Compares a received change of a message's text with the text of the message here.
    func compare(
        _ id: EntityID, _ own: TextChange, with received: TextChange, replacing basis: ReplicaStamp?, isReplaced: Bool
    ) throws(StoreError) {
        try compare(.message, id.text, own, with: received, replacing: basis, isReplaced: isReplaced)
    }

    /// Compares a received change of a contact or draft with the text here, before it is replaced.
    ///
    /// - Parameter before: The state of the contact or draft before the merge.
    func compare(_ record: ThingRecord, _ before: ThingState, _ outcome: ThingState.Outcome) throws(StoreError) {
        guard let place = LostEdit.Place(record.name.kind),
            let field = record.fields.first(where: { $0.field == place.field && $0.basis != nil }),
            let known = before.mark(of: field.field), known.stamp > max(before.removal, record.removal),
            known.stamp != field.stamp
        else { return }
        let present = try replica.things.present(record.name)?.values[field.field]
        try compare(
            place, record.name.parts[0], TextChange(stamp: known.stamp, text: place.text(of: present)),
            with: TextChange(stamp: field.stamp, text: place.text(of: field.value)), replacing: field.basis,
            isReplaced: outcome.changed.contains { $0.field == field.field })
    }

    func dismiss(_ id: UInt64) throws(StoreError) -> WorkStep<ReplicaResult> {
        try LostEditRows.delete(id, connection)
        removedContent = true
        return .done(.done)
    }

    private func compare(
        _ place: LostEdit.Place, _ name: String, _ own: TextChange, with received: TextChange,
        replacing basis: ReplicaStamp?, isReplaced: Bool
    ) throws(StoreError) {
        guard let basis else { return }
        if isReplaced {
            try LostEditRows.delete(at: place, name, by: received.stamp.device, connection)
        }
        let lost = isReplaced ? own : received
        guard isReplaced ? own.stamp != .zero && own.stamp != basis : received.stamp < own.stamp,
            own.stamp.device != received.stamp.device, let text = lost.text, !text.isEmpty,
            !text.hasSameBytes(as: (isReplaced ? received : own).text ?? "")
        else { return }
        try LostEditRows.keep(text, at: place, name, lost.stamp, connection)
        // To make room for this text, an earlier one may have been deleted.
        removedContent = true
    }
}

extension LostEdit.Place {
    /// The place of the text that things of this kind have; `nil` if the store keeps no lost edits of such things.
    fileprivate init?(_ kind: ThingKind) {
        switch kind {
        case .contact: self = .contactNotes
        case .draft: self = .draft
        case .conversation, .sceneValue, .reaction, .file, .log, .member: return nil
        }
    }

    /// The field of the thing that contains the text.
    fileprivate var field: FieldNumber { self == .contactNotes ? .notes : .value }

    fileprivate func text(of value: [UInt8]?) throws(StoreError) -> String? {
        guard let value else { return nil }
        switch self {
        case .contactNotes: return try WholeContact(body: value).notes
        case .draft: return try WholeDraft(body: value).content.text
        case .message: return nil
        }
    }
}

extension ThingKind {
    /// Returns the place of a field's text; `nil` if the store keeps no lost edits of the field. If the store keeps
    /// them, each record of a change of the field contains the stamp of the change that it replaced.
    func textPlace(of field: FieldNumber) -> LostEdit.Place? {
        guard let place = LostEdit.Place(self), place.field == field else { return nil }
        return place
    }
}
