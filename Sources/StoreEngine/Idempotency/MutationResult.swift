import StoreBasics

/// The result of a mutation. It is made in the mutation's transaction, so that no later change shows in it.
package enum MutationResult: Hashable, Sendable {
    case commit(Commit)
    /// The conversation that was found or created, without its avatar.
    indirect case conversation(Conversation, isNew: Bool, isReplayed: Bool)
    /// The log that was found or created.
    indirect case log(Log, isNew: Bool, isReplayed: Bool)
    /// The sequence numbers of the entries that were appended to a log.
    case appended(ClosedRange<UInt64>, isReplayed: Bool)
    case restored(RestoreTally)
    /// The revision up to which changes are compacted.
    case compacted(throughRevision: UInt64, isReplayed: Bool)
    /// The result of work for the replica group. A repetition gives the same result, or an error that says that the
    /// work is already done.
    case replica(ReplicaResult)

    /// The result, marked as a repetition.
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
