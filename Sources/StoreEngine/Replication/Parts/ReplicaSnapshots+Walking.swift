import ReplicaModel
import SQLCipher
import StoreBasics

/// The records that one step of a walk through all replicated data has collected.
struct ReplicaWalkStep {
    /// The encoded records, one after the other.
    private(set) var payload: [UInt8] = []
    /// The device and the batch in the notices of contents. A device that lacks a content merges this batch and then
    /// requests the content from that device.
    let device: UInt64
    let sequence: UInt64
    let selection: ReplicaSelection
    private var namedContents: Set<AttachmentDigest> = []

    init(_ group: ReplicaGroupRow, sequence: UInt64) {
        device = group.device
        selection = group.selection
        self.sequence = sequence
    }

    mutating func add(_ record: ReplicaRecord) {
        record.append(to: &payload)
    }

    var isFull: Bool { payload.count >= ReplicaCollecting.replicaBatchBytes }

    /// - Returns: False if the content was already examined in this step.
    mutating func beginContent(_ digest: AttachmentDigest) -> Bool { namedContents.insert(digest).inserted }
}

/// Publishes all selected data of the group again, with the stamps of its last publication.
///
/// Leaves out what was changed locally since that publication, because a later batch contains it. Of files and
/// attachments it sends only the digests, not the bytes.
extension ReplicaSnapshots {
    /// Collects the next records of a walk, as many as fit in a batch and a step.
    ///
    /// - Returns: The next position; `nil` at the end.
    func collectNext(
        of walk: ReplicaWalk, _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        var walk = walk
        repeat {
            let next: ReplicaWalk? =
                switch walk {
                case .things(.file, let name): try collectFiles(after: name, &walking)
                case .things(let kind, let name): try collectThings(kind, after: name, &walking)
                case .messages(let place): try collectMessages(after: place, &walking)
                case .removedMessages(let id): try collectRemovedMessages(after: id, &walking)
                case .removedFiles(let name): try collectRemovedFiles(before: name, &walking)
                case .logEntries(let log, let sequence):
                    try replica.logs.publishEntries(of: log, after: sequence, &walking)
                }
            if next == walk { return walk }
            guard let place = next ?? walk.nextPart else { return nil }
            walk = place
        } while !walking.isFull && !slice.isOver
        return walk
    }

    /// The number of rows that are examined between two checks of the time.
    static var walkRowsMax: Int { 64 }

    /// - Returns: The next position; `nil` at the end.
    private func collectThings(
        _ kind: ThingKind, after name: [UInt8], _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        var last: [UInt8]?
        for thing in try ReplicaThingRows.next(kind, after: name, limit: Self.walkRowsMax, connection) {
            last = thing.name.bytes
            guard try replica.collecting.isSelected(thing.name, in: walking.selection) else { continue }
            if let record = try record(of: thing.name, thing.state) {
                if kind == .draft, let value = record.fields.first(where: { $0.field == .value })?.value {
                    try nameContents(of: WholeDraft(body: value).attachments, &walking)
                }
                walking.add(.thing(record))
            }
            guard !walking.isFull else { break }
        }
        return last.map { .things(kind, after: $0) }
    }

    /// Returns the record of a thing, with only the fields that did not change since they were published; `nil` if
    /// there is nothing to publish.
    private func record(of name: ThingName, _ state: ThingState) throws(StoreError) -> ThingRecord? {
        let present = try replica.things.present(name)
        var record = ThingRecord(name: name, removal: state.removal, touchedAt: state.touchedAt)
        for field in state.fields {
            guard let mark = state.mark(of: field) else { continue }
            if field == .identity {
                record.fields.append(FieldRecord(field: field, stamp: mark.stamp, value: state.identity))
                continue
            }
            let value =
                name.kind.fields.contains(field)
                ? state.completed(present?.values[field], field, of: name.kind) : state.keptValue(of: field)
            // Do not compare the values of a log: they may differ between devices, because a value has the settings
            // with which the device opened the log.
            guard name.kind == .log && value != nil || ValueDigest(of: value) == mark.digest else { continue }
            record.fields.append(FieldRecord(field: field, stamp: mark.stamp, value: value))
        }
        return record.fields.isEmpty && record.removal == .zero ? nil : record
    }

    private func collectMessages(
        after place: MessagePlace, _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        var places: [MessagePlace] = []
        let rows = try connection.rows(Self.walkedMessages, place, Self.walkRowsMax)
        while try rows.next() {
            places.append(try MessagePlace(rows, conversation: 0, timestamp: 1, id: 2))
        }
        var last: MessagePlace?
        for place in places {
            last = place
            let mark = try ReplicaMessageRows.read(place.id.text, connection)
            guard !mark.isChanged, !mark.isRemoved, !mark.isOver, let row = try areas.messages.findMessage(place.id),
                let sessionID = try replica.collecting.sessionID(of: row.conversation),
                walking.selection.contains(.conversations, sessionID)
            else { continue }
            try nameContents(of: AttachmentRows.readWhole(row.attachments, connection), &walking)
            let content = try replica.collecting.replicaContent(of: row, sessionID, mark)
            walking.add(.message(MessageRecord(id: place.id.text, generation: mark.generation, content: content)))
            guard !walking.isFull else { break }
        }
        return last.map { .messages(after: $0) }
    }

    private func collectRemovedMessages(
        after id: String, _ walking: inout ReplicaWalkStep
    ) throws(StoreError) -> ReplicaWalk? {
        var last: String?
        for (id, mark) in try ReplicaMessageRows.next(after: id, limit: Self.walkRowsMax, connection) {
            last = id
            guard mark.isRemoved || mark.isOver || mark.isTimerStarted else { continue }
            walking.add(
                .message(
                    MessageRecord(
                        id: id, generation: mark.generation, content: nil, isTimerStarted: !mark.isRemoved)))
        }
        return last.map { .removedMessages(after: $0) }
    }

    // MARK: Contents

    private func nameContents(
        of attachments: [NewAttachment], _ walking: inout ReplicaWalkStep
    ) throws(StoreError) {
        for attachment in attachments {
            try nameContent(attachment.digest, &walking)
        }
    }

    /// Adds a notice for a content that an existing record needs. If no device is known to have published the content,
    /// this walk counts as publishing it, so that devices request it from here.
    func nameContent(_ digest: AttachmentDigest, _ walking: inout ReplicaWalkStep) throws(StoreError) {
        guard walking.beginContent(digest) else { return }
        guard try replica.contents.contentNumber(digest) != nil else {
            guard try !AttachmentContents.canBeFetchedAgain(digest, connection) else { return }
            return try replica.contents.recordMissing(digest, named: walking.device, in: 0)
        }
        if try ReplicaContentRows.publication(digest, connection) == nil {
            try ReplicaContentRows.write(digest, walking.device, walking.sequence, connection)
        }
        walking.add(
            .contentNotice(
                ContentNoticeRecord(digest: digest.bytes, device: walking.device, sequence: walking.sequence)))
    }

    private static let walkedMessages = StatementText(
        """
        SELECT conversation, timestamp, id FROM messages
        WHERE (conversation, timestamp, id) > (?1, ?2, ?3)
        ORDER BY conversation, timestamp, id LIMIT ?4
        """)
}
