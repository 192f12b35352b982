extension StoreEngine {
    /// Makes the search index anew from the messages, a step at a time, while the store goes on serving. What is
    /// interrupted goes on by itself, also after a restart.
    ///
    /// - Throws: why the store is not open, `.storeLocked` when it is locked meanwhile, `.diskFull`, `.shuttingDown`.
    package func rebuildSearchIndex() throws(StoreError) {
        try administer { () throws(StoreError) in
            try writer.perform { context throws(StoreError) in
                try SearchUpkeep.startOver(.rebuilding, context)
            }
            var isDone = false
            while !isDone {
                try interruption.check()
                isDone = try writer.perform { context throws(StoreError) in
                    try SearchUpkeep.step(context)
                    let phase = try SearchIndexState.read(context.openConnection()).phase
                    guard phase != .abandoned else { throw .searchIndexDamaged }
                    return phase == .whole
                }
            }
        }
    }
}
