extension StoreEngine {
    /// Rebuilds the search index from the messages, a step at a time, while the store stays in use. An interrupted
    /// rebuild continues by itself, also after a restart.
    ///
    /// - Throws: The reason if the store is not open; `.storeLocked` if it is locked meanwhile; `.diskFull`,
    ///   `.shuttingDown`.
    package func rebuildSearchIndex(progress: (Progress) -> Void = { _ in }) throws(StoreError) {
        try administer { () throws(StoreError) in
            let total = UInt64(clamping: try statistics().messageCount)
            var done: UInt64 = 0
            try writer.perform { context throws(StoreError) in
                try SearchUpkeep.startOver(.rebuilding, context)
            }
            while true {
                progress(Progress(done: min(done, total), total: total))
                try interruption.check()
                let step = try writer.perform { context throws(StoreError) in
                    let progress = try SearchUpkeep.step(context)
                    return (progress, try SearchIndexState.read(context.openConnection()).phase)
                }
                if case .messagesAdded(_, let count) = step.0 {
                    done += UInt64(clamping: count)
                }
                switch step.1 {
                case .whole: return
                case .rebuilding: break
                case .abandoned: throw .searchIndexDamaged
                }
            }
        }
    }
}
