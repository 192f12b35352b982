import ReplicaModel
import StoreBasics

/// An entry of the change log that is to be collected into a batch.
struct UncollectedChange {
    let entry: ChangeEntry
    /// When the change was committed, according to the trusted clock of that time.
    let changedAt: Timestamp
    /// Fields that get their time from following changes of the same thing, which are collected together with this
    /// change.
    private(set) var later: FieldSet = []

    init(entry: ChangeEntry, changedAt: Timestamp) {
        self.entry = entry
        self.changedAt = changedAt
    }

    /// True if another change of the same value follows, so that only the later change is collected.
    var isRepeated: Bool {
        switch entry.kind {
        case .sceneValue, .draft, .member: later == .all
        case .contact, .conversation, .message, .reaction, .file, .log, .store: false
        }
    }

    /// The fields of this change, and of the changes that follow it.
    var scope: ChangeScope { ChangeScope(changed: changed, later: later) }

    private var changed: FieldSet {
        switch (entry.kind, entry.operation) {
        case (.sceneValue, .cleared): []
        case (.sceneValue, _), (.draft, _), (.member, _): .all
        case (.contact, .created), (.conversation, .created): .all
        case (.contact, _), (.conversation, _): entry.detail.fields
        case (.message, _), (.reaction, _), (.file, _), (.log, _), (.store, _): []
        }
    }

    private struct Thing: Hashable {
        let kind: EntityKind
        let id: String
        let parent: String
    }

    /// Returns the changes, each with the fields that get their time from later changes.
    static func looked(at changes: [UncollectedChange]) -> [UncollectedChange] {
        guard changes.count > 1 else { return changes }
        var changes = changes
        var later: [Thing: FieldSet] = [:]
        for index in changes.indices.reversed() {
            let (entry, changed) = (changes[index].entry, changes[index].changed)
            let thing = Thing(kind: entry.kind, id: entry.id, parent: entry.parent)
            let known = later[thing] ?? []
            changes[index].later = known
            later[thing] = known.union(changed)
        }
        return changes
    }
}
