import StoreBasics
import StoreCrypto

/// The thread that performs all writes of files. It also erases released data from the disk.
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
                // Return, so that the thread handles other requests before the next step.
                self?.perform(command, userID: userID, history: history, request, completion)
                return nil
            case .end(let id):
                writes.end(id, userID: userID)
                return .ended
            }
        }
    }

    /// Starts to look for files that a crash has left. Does nothing if the vault has no folder, or if commits are
    /// missing that an operator may still restore and that may need these files.
    func beginCleaning(_ directory: StateDirectory) {
        guard VaultFolder.exists(in: directory), !VaultFolder.hasUnresolvedLoss(in: directory) else { return }
        try? begin { $0.beginCleaning() }
    }

    /// Keeps released data on the disk until `releaseCleaning`. Returns when no erasing is in progress.
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

    /// Protects a file of the vault from erasing until `releaseContent`. The file is about to be created, and no row
    /// refers to it yet.
    func holdContent(_ id: ContentID) throws(StoreError) {
        let isHeld = OneShot<Bool>()
        try begin { writes in
            writes.heldContents.insert(id)
            isHeld.set(true)
        }
        _ = isHeld.wait()
    }

    /// Ends the protection of a file: a row refers to it now, or it is not needed.
    func releaseContent(_ id: ContentID) {
        interject { $0.release(id) }
    }

    func clean(_ released: ReleasedContents) {
        try? begin { $0.clean(released) }
    }
}

/// A function that protects a content's file and returns the function that ends the protection.
typealias ContentHold = @Sendable (ContentID) throws(StoreError) -> @Sendable () -> Void
