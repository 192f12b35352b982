import StoreBasics
import StoreCrypto

/// The one thread of writes of files, which also erases what is to leave the disk.
typealias FileThread = SessionThread<FileWrites>

extension SessionThread<FileWrites> {
    func perform(
        _ command: FileWriteCommand, userID: UInt32, history: HistoryID?,
        _ request: @escaping @Sendable (FileCompletion?) -> FileCommit,
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
