import Logging
package import StoreBasics
import StoreCrypto

extension StoreEngine {
    /// Performs one command of a file write that a client sends in parts. Commands are performed in the given order, on
    /// a thread of their own.
    ///
    /// A write belongs to the user who began it. It ends when it is finished, with its first error (except for a part
    /// out of order), after `FileWriteLimits.idleSecondsMax` without use, and when the store is locked. Until it is
    /// finished, the file keeps its content.
    ///
    /// - Parameters:
    ///   - owner: The user and the connection of the command.
    ///   - completion: Called once, on that thread, or at once if the command is refused.
    package func performFileWrite(
        _ command: FileWriteCommand, for owner: WorkOwner, idempotencyKey: IdempotencyKey? = nil,
        history: HistoryID? = nil,
        completion: @escaping @Sendable (Result<FileWriteResult, StoreError>) -> Void
    ) {
        if command.isUseOfStore {
            status.recordActivity()
        }
        let request: @Sendable (FileCompletion?) -> FileCommit = { completed in
            FileCommit(work: .complete(completed), idempotencyKey: idempotencyKey, owner: owner, history: history)
        }
        files.perform(command, userID: owner.userID, history: history, request, completion)
    }

    static func fileSource(
        _ directory: StateDirectory, _ registry: ReaderRegistry, _ status: EngineStatus, _ writer: Writer,
        _ logger: Logger, quotas: FileQuotas = FileQuotas(), stagedContents: StagedContentIDs = StagedContentIDs()
    ) -> FileWrites.Source {
        FileWrites.Source(
            directory: directory, makeReader: { registry.make() }, fileQuotas: quotas,
            history: { status.statistics?.history },
            expectOpen: { () throws(StoreError) in
                guard status.isStoreOpen else { throw status.state.notOpenError }
                if let damage = status.damage { throw damage }
            },
            commit: { commit in
                Result { () throws(StoreError) in
                    let request = WriteRequest(commit)
                    try status.admit(request.mutation)
                    guard case .commit(let result) = try writer.write(request) else {
                        throw .fault("a file was written without a commit")
                    }
                    return result
                }
            },
            stagedContents: stagedContents,
            cleaningFailed: { error in
                logger.error(
                    "removed content could not be erased from the vault yet; the daemon tries again",
                    metadata: ["message": "\(error)"])
            })
    }
}

extension WriteRequest {
    fileprivate init(_ commit: FileCommit) {
        let mutation: Mutation =
            switch commit.work {
            case .complete(let completion): .completeFile(completion)
            case .forgetFreedSlots(let content, let slots): .forgetFreedSlots(content, slots)
            }
        self.init(
            mutation, idempotencyKey: commit.idempotencyKey, owner: commit.owner, history: commit.history)
    }
}
