import ReplicaModel
import SQLCipher
import StoreBasics

/// The states of things that a step reads and changes, written once at its end.
struct ReplicaStates {
    private var states: [ThingName: ThingState] = [:]
    private var changed: Set<ThingName> = []

    /// Returns the state of a thing; an empty state if nothing is stored.
    mutating func state(of name: ThingName, _ connection: Connection) throws(StoreError) -> ThingState {
        if let known = states[name] { return known }
        let state = try ReplicaThingRows.read(name, connection) ?? ThingState()
        states[name] = state
        return state
    }

    mutating func set(_ state: ThingState, of name: ThingName) {
        states[name] = state
        changed.insert(name)
    }

    /// Forgets all states whose names begin with the given parts, also in the database.
    mutating func forget(_ kind: ThingKind, beginningWith parts: [String], _ connection: Connection) throws(StoreError)
    {
        try write(connection)
        for name in try ReplicaThingRows.names(kind, beginningWith: parts, connection) {
            states[name] = nil
            try ReplicaThingRows.delete(name, connection)
        }
    }

    mutating func write(_ connection: Connection) throws(StoreError) {
        for name in changed {
            guard let state = states[name] else { continue }
            try ReplicaThingRows.write(state, of: name, connection)
        }
        changed.removeAll()
    }
}
