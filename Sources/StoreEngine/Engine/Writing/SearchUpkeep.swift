import SQLCipher
import StoreBasics

/// The writer's work for the search index between its commits.
enum SearchUpkeep {
    /// Performs a step, in a record of its own. An inconsistent index is abandoned: it can be rebuilt, and must not
    /// stop other work.
    ///
    /// - Parameter leaving: If there are at most this many new changes, they are left for later.
    @discardableResult
    static func step(_ context: WriterContext, leaving few: UInt64 = 0) throws(StoreError) -> SearchIndexing.Progress {
        do throws(StoreError) {
            let (progress, segmentCount) = try context.commit { connection throws(StoreError) in
                let indexing = try SearchIndexing(connection, context.othersWait)
                return (try indexing.step(leaving: few, of: context.statistics.revision), try indexing.segmentCount())
            }
            context.searchBacklog.share.segmentCount = segmentCount
            if context.searchBacklog.indexedThrough < context.statistics.compactedThroughRevision {
                // Rows of the change log that were kept for this step can be removed now.
                context.hasRowsToRemove = true
            }
            context.searchBacklog.recordStep(progress, context.statistics.revision, isShared: few > 0)
            if progress == .outdatedEntriesRemoved {
                context.scheduleWALEmptying()
            }
            return progress
        } catch {
            guard error.reason == .searchIndexIncomplete else { throw error }
            try startOver(.abandoned, context)
            return .none
        }
    }

    /// Empties the index.
    ///
    /// - Parameter phase: Determines whether existing messages are indexed again.
    static func startOver(_ phase: SearchIndexState.Phase, _ context: WriterContext) throws(StoreError) {
        try context.commit { connection throws(StoreError) in
            try SearchIndexState.startOver(phase, after: context.statistics.revision, connection)
        }
        context.searchBacklog = SearchBacklog()
        context.hasRowsToRemove = true
        context.scheduleWALEmptying()
    }
}
