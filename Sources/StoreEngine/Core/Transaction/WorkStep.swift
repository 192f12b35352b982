/// The result of one step of a mutation.
enum WorkStep<Outcome> {
    case done(Outcome)
    /// The mutation continues after other writes have had their turn.
    case unfinished(any WorkProgress)

    /// Returns the same step with another kind of outcome.
    func map<Other>(_ transform: (Outcome) -> Other) -> WorkStep<Other> {
        switch self {
        case .done(let outcome): .done(transform(outcome))
        case .unfinished(let progress): .unfinished(progress)
        }
    }
}

/// The progress of a mutation that takes several commits. Each of its commits is consistent by itself: a reader between
/// them, and a store after a crash between them, sees a part of the mutation.
///
/// Each area defines types of its own for the progress of its mutations. The next step receives the progress that the
/// previous step returned.
protocol WorkProgress: Sendable {
    /// True if a part of the mutation may have been done. The mutation can then continue only in the same history of
    /// the store, because its progress contains numbers of that history.
    var hasBegun: Bool { get }
}

extension WorkProgress {
    var hasBegun: Bool { true }
}

/// The progress of a mutation that has no state: its next step finds out what is left to do.
struct ProgressFoundAnew: WorkProgress {
    var hasBegun: Bool { false }
}
