import Logging
package import StoreBasics
import StoreCrypto

extension StoreEngine {
    /// Writes a file in pieces. Commands are performed in the order given, on a thread of their own.
    ///
    /// A write belongs to the user who began it. It ends when it is finished, with its first error but for a piece out
    /// of order, when nobody uses it for `FileWriteLimits.idleSecondsMax`, and when the store is locked. Until it is
    /// finished the file is as it was.
    ///
    /// - Parameters:
    ///   - request: of whom the command is and what it is about; its mutation means nothing here.
    ///   - completion: called once, on that thread, or at once when the command is refused.
    package func performFileWrite(
        _ command: FileWriteCommand, for owner: WorkOwner, idempotencyKey: IdempotencyKey? = nil,
        history: HistoryID? = nil,
        completion: @escaping @Sendable (Result<FileWriteResult, StoreError>) -> Void
    ) {
        if command.isUseOfStore {
            status.noteActivity()
        }
        let request: @Sendable (FileCompletion?) -> WriteRequest = { completed in
            WriteRequest(
                .completeFile(completed), idempotencyKey: idempotencyKey, owner: owner, history: history)
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
            commit: { request in
                let done = OneShot<Result<MutationResult, StoreError>>()
                do throws(StoreError) {
                    try status.admit(request.mutation)
                    try writer.submit(WriteQueue.Write(request: request) { done.set($0) })
                } catch {
                    return .failure(error)
                }
                return done.wait()
            },
            stagedContents: stagedContents,
            cleaningFailed: { error in
                logger.error(
                    "removed content could not be erased from the vault yet; the daemon tries again",
                    metadata: ["message": "\(error)"])
            })
    }
}

/// The one thread of writes of files, which also erases what is to leave the disk.
typealias FileThread = SessionThread<FileWrites>

extension SessionThread<FileWrites> {
    func perform(
        _ command: FileWriteCommand, userID: UInt32, history: HistoryID?,
        _ request: @escaping @Sendable (FileCompletion?) -> WriteRequest,
        _ completion: @escaping @Sendable (Result<FileWriteResult, StoreError>) -> Void
    ) {
        answer(completion, session: command.session, userID: userID) { [weak self] writes throws(StoreError) in
            switch command {
            case .begin(let request):
                return .begun(try writes.begin(.file(request), userID: userID, history: history))
            case .beginAttachment(let request):
                return .begun(try writes.begin(.attachment(request), userID: userID, history: history))
            case .write(let id, let offset, let data):
                return .continued(bytesReceived: try writes.write(data, at: offset, id, userID: userID))
            case .finish(let id):
                if let commit = try writes.finishStep(id, userID: userID, request) {
                    return .finished(commit)
                }
                // Others' turns come first.
                self?.perform(command, userID: userID, history: history, request, completion)
                return nil
            case .end(let id):
                writes.end(id, userID: userID)
                return .ended
            }
        }
    }

    /// Looks for what a crash has left, where the vault has ever been used and nobody may put commits back that are
    /// missing.
    func beginCleaning(_ directory: StateDirectory) {
        guard VaultFolder.exists(in: directory), !VaultFolder.isUnsettled(in: directory) else { return }
        try? begin { $0.beginCleaning() }
    }

    /// Leaves on the disk what commits let go of, until `releaseCleaning`, and returns once nothing is being erased.
    func holdCleaning() throws(StoreError) {
        let isHeld = OneShot<Bool>()
        try begin { writes in
            writes.cleaningHolds += 1
            isHeld.set(true)
        }
        _ = isHeld.wait()
    }

    func releaseCleaning() {
        interject { $0.cleaningHolds -= 1 }
    }

    /// Leaves a file of the vault alone that is about to be made and that no row names yet, until `releaseContent`.
    func holdContent(_ id: ContentID) throws(StoreError) {
        let isHeld = OneShot<Bool>()
        try begin { writes in
            writes.heldContents.insert(id)
            isHeld.set(true)
        }
        _ = isHeld.wait()
    }

    /// A row names it now, or it is of no use.
    func releaseContent(_ id: ContentID) {
        interject { $0.release(id) }
    }

    func clean(_ released: ReleasedContents) {
        try? begin { $0.clean(released) }
    }
}

/// Gives what ends the hold of a content's file.
typealias ContentHold = @Sendable (ContentID) throws(StoreError) -> @Sendable () -> Void
