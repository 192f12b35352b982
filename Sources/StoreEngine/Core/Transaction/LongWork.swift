import StoreBasics

/// What a step of a mutation came to.
enum WorkStep {
    case done(MutationResult)
    /// Others get their turn before it goes on.
    case unfinished(LongWork)

    static func commit(_ commit: Commit) -> WorkStep { .done(.commit(commit)) }
}

/// How far a mutation that takes several commits has come. Each of its commits is true by itself: who reads in between,
/// and a store that was cut off in between, has a part of it done.
enum LongWork: Sendable {
    /// Nothing of it is done yet: where its user has come to with idempotency keys is not known.
    case keySearch
    case readMarking(ReadMarking)
    case sceneRemoval(removedCount: Int)
    /// Nothing is moved or copied yet.
    case treeMeasure(TreeMeasure)
    case fileCopy(FileCopy)
    case restoring(RestoreProgress)
    /// What is left of it is found anew.
    case dueMessages
    /// What is left is found anew.
    case changeStamping
    case replicaStarting(ReplicaStarting)
    /// What is left is found anew.
    case replicaTaking(ReplicaTake)
    case replicaMerging(ReplicaMerging)
}

/// The walk over a conversation that marks what it meets as read, newest first.
struct ReadMarking: Sendable {
    let conversation: Int64
    /// What was saved later is not marked: the walk has an end.
    let newestSequence: Int64
    /// Everything newer has been looked at.
    var position = MessageCursor.end
    var updatedCount = 0
}
