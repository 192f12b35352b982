import ReplicaModel
import SQLCipher
import StoreBasics

/// States of things that a step looks at and changes, written once at its end.
struct ReplicaStates {
    private var states: [ThingName: ThingState] = [:]
    private var changed: Set<ThingName> = []

    /// An empty one of a thing that nothing is remembered of.
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

    /// Those that begin so are forgotten; what is in the database of them, too.
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
