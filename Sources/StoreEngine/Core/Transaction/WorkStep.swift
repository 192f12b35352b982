/// The result of one step of a mutation.
enum WorkStep<Outcome> {
    case done(Outcome)
    /// Others get their turn before the mutation continues.
    case unfinished(any WorkProgress)

    /// Returns the same step with another kind of outcome.
    func map<Other>(_ transform: (Outcome) -> Other) -> WorkStep<Other> {
        switch self {
        case .done(let outcome): .done(transform(outcome))
        case .unfinished(let progress): .unfinished(progress)
        }
    }
}

/// How far a mutation that takes several commits has come. Each of its commits is true by itself: a reader in between,
/// and a store that was cut off in between, has a part of the mutation done.
///
/// Each area has types of its own for its mutations, and looks in the next step for the type that it gave.
protocol WorkProgress: Sendable {
    /// True if a part of the mutation may be done. Then the mutation can continue only in the same history of the
    /// store, because its progress holds numbers of that history.
    var hasBegun: Bool { get }
}

extension WorkProgress {
    var hasBegun: Bool { true }
}

/// The progress of a mutation that has nothing to remember: its next step finds what is left.
struct ProgressFoundAnew: WorkProgress {
    var hasBegun: Bool { false }
}
