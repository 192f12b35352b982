import StoreBasics

/// What a mutation is answered with: made in its transaction, so that nothing which comes after it shows.
package enum MutationResult: Hashable, Sendable {
    case commit(Commit)
    /// Found or created, without its avatar.
    indirect case conversation(Conversation, isNew: Bool, isReplayed: Bool)
    /// Found or created.
    indirect case log(Log, isNew: Bool, isReplayed: Bool)
    /// The sequence numbers that messages got.
    case appended(ClosedRange<UInt64>, isReplayed: Bool)
    case restored(RestoreTally)
    /// Changes with a greater revision are still kept.
    case compacted(throughRevision: UInt64, isReplayed: Bool)
    /// Not kept for a repetition: each is the same again, or says that it was done.
    case replica(ReplicaResult)

    /// The same, as the repetition of an earlier result.
    var replayed: MutationResult {
        switch self {
        case .commit(var commit):
            commit.isReplayed = true
            return .commit(commit)
        case .appended(let sequences, _):
            return .appended(sequences, isReplayed: true)
        case .conversation(let conversation, let isNew, _):
            return .conversation(conversation, isNew: isNew, isReplayed: true)
        case .log(let log, let isNew, _):
            return .log(log, isNew: isNew, isReplayed: true)
        case .restored, .replica:
            return self
        case .compacted(let revision, _):
            return .compacted(throughRevision: revision, isReplayed: true)
        }
    }
}
