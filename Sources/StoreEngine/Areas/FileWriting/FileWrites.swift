import StoreBasics
import StoreCrypto

/// The running writes of files, and the work in the vault's folder after commits. Only the thread of `FileThread` may
/// use it.
final class FileWrites: SessionHolder {
    static let threadName = "store-files"
    static let waitingRequestsMax = FileWriteLimits.waitingRequestsMax

    /// The functions and data of the engine that file writes need.
    struct Source: Sendable {
        var directory: StateDirectory
        var makeReader: @Sendable () -> StoreReader
        var fileQuotas: FileQuotas
        /// Returns the history of the open store; `nil` while the store is closed.
        var history: @Sendable () -> HistoryID?
        /// Throws the reason if no store is open.
        var expectOpen: @Sendable () throws(StoreError) -> Void
        /// Hands work to the writer and waits for its commit.
        var commit: @Sendable (FileCommit) -> Result<Commit, StoreError>
        /// Contents that the writer is receiving from other devices.
        var stagedContents = StagedContentIDs()
        /// Called when erasing failed and will be repeated.
        var cleaningFailed: @Sendable (StoreError) -> Void
    }

    private struct Session {
        let userID: UInt32
        let write: FileWrite
        /// The history of the store in which the write was begun.
        let history: HistoryID
        var lastUsed: ContinuousClock.Instant
    }

    private let source: Source
    private let idle: Duration
    private let cleaningRetryInterval: Duration
    private var sessions: [FileWriteID: Session] = [:]
    private var reader: StoreReader?
    private var folder: VaultFolder?
    private var cleaning: VaultCleaning
    /// The number of callers that need released data to stay on the disk.
    var cleaningHolds = 0
    /// Files that the writer or another thread is writing, and to which no row refers yet.
    var heldContents: Set<ContentID> = []

    init(
        source: Source, idle: Duration = .seconds(FileWriteLimits.idleSecondsMax),
        cleaningRetryInterval: Duration = .seconds(10)
    ) {
        self.source = source
        self.idle = idle
        self.cleaningRetryInterval = cleaningRetryInterval
        cleaning = VaultCleaning(retryInterval: cleaningRetryInterval)
    }

    func begin(
        _ goal: FileWriteGoal, userID: UInt32, history: HistoryID?
    ) throws(StoreError) -> FileWriteID {
        try source.expectOpen()
        let present = source.history() ?? .none
        try History.expect(history, is: present)
        try checkRoom(for: userID)
        let folder = try openFolder()
        let written = Set(sessions.values.compactMap(\.write.contentWritten?.header.id))
        let base = try openReader().expecting(present).writeBase(goal, folder) { written.contains($0) }
        let write = try FileWrite(goal, over: base, folder)
        try expectRoom(write.announcedGrowth)
        let id = FileWriteID(number: .random(in: 1 ... .max))
        sessions[id] = Session(userID: userID, write: write, history: present, lastUsed: .now)
        return id
    }

    /// Writes a part. If the part is out of order or exceeds the announced length, the write stays unchanged; any other
    /// failure ends it.
    func write(
        _ data: [UInt8], at offset: UInt64, _ id: FileWriteID, userID: UInt32
    ) throws(StoreError) -> UInt64 {
        let session = try session(id, userID: userID)
        try session.write.check(data, at: offset)
        return try endingOnFailure(id) { () throws(StoreError) in
            try expectRoom(session.write.growth(by: data.count))
            return try session.write.write(data, at: offset)
        }
    }

    /// Performs one step of completing a write. The last step is the commit.
    ///
    /// - Parameter request: Makes the request to the writer from the completed write. Receives `nil` if the write is
    ///   not running; the writer may then have stored the answer under the idempotency key.
    /// - Returns: `nil` if more steps are necessary.
    /// - Throws: `.invalidArgument` if announced bytes are missing; the write is then unchanged. Any other failure ends
    ///   it.
    func finishStep(
        _ id: FileWriteID, userID: UInt32, _ request: (FileCompletion?) -> FileCommit
    ) throws(StoreError) -> Commit? {
        guard let session = try? session(id, userID: userID) else { return try source.commit(request(nil)).get() }
        try session.write.checkIsWhole()
        let completed = try endingOnFailure(id) { () throws(StoreError) in try finishStep(of: session.write) }
        guard let completed else { return nil }
        do throws(StoreError) {
            var request = request(completed)
            request.history = session.history
            let commit = try source.commit(request).get()
            sessions[id] = nil
            queueCleaning(session.write)
            return commit
        } catch {
            // If the queue is full, the write continues to exist, so that the client can try again. Any other error
            // ends it.
            if error.reason != .queueFull {
                end(id)
            }
            throw error
        }
    }

    func end(_ id: FileWriteID, userID: UInt32) {
        if sessions[id]?.userID == userID {
            end(id)
        }
    }

    func endAll() {
        sessions.keys.forEach { end($0) }
        reader?.close()
        reader = nil
        folder = nil
        cleaning = VaultCleaning(retryInterval: cleaningRetryInterval)
    }

    func endIdle(sparing waiting: Set<FileWriteID>) {
        let now = ContinuousClock.now
        for (id, session) in sessions where !waiting.contains(id) && session.lastUsed + idle <= now {
            end(id)
        }
    }

    var millisecondsToIdleEnd: Int? {
        let firstIdle = sessions.values.map(\.lastUsed).min().map { first in
            max(1, Int((first + idle - ContinuousClock.now) / .milliseconds(1)) + 1)
        }
        return [firstIdle, cleaning.millisecondsToRetry].compactMap(\.self).min()
    }

    // MARK: After commits

    /// Starts to look for files that a crash has left, after the store was opened.
    func beginCleaning() {
        cleaning.sweep()
    }

    func clean(_ released: ReleasedContents) {
        if case .some(let ids) = released {
            source.stagedContents.remove(ids)
        }
        if case .unknown = released {
            // `.unknown` means that the store was cleared. No lost commit can need a file any more.
            VaultFolder.resolveLoss(in: source.directory)
        }
        cleaning.queueErasure(released, maySweep: !keepsUnnamed)
    }

    /// True if files and slots to which no row refers must not be erased: commits were lost, and an operator may still
    /// restore them. The restored commits may need these files.
    private var keepsUnnamed: Bool {
        VaultFolder.hasUnresolvedLoss(in: source.directory)
    }

    func release(_ id: ContentID) {
        heldContents.remove(id)
        // Clean the file even if its write was completed: a commit may have released the content again before this
        // call.
        cleaning.queueCleaning(id, sparesOthers: keepsUnnamed)
    }

    func workInBackground() -> Bool {
        cleaning.retry()
        guard cleaning.isNeeded, cleaningHolds == 0, (try? source.expectOpen()) != nil else { return false }
        do throws(StoreError) {
            let held = heldContents.union(sessions.values.compactMap(\.write.targetID))
            try cleaning.step(
                openFolder(), openReader(), isHeld: { held.contains($0) || source.stagedContents.contains($0) },
                forget: { (content, slots) throws(StoreError) in
                    _ = try source.commit(FileCommit(work: .forgetFreedSlots(content, slots))).get()
                })
        } catch  where error.reason == .storeLocked {
            // The store was locked. The next opening continues the work, so this is no error.
        } catch {
            if cleaning.postpone() {
                source.cleaningFailed(error)
            }
        }
        return cleaning.isNeeded
    }

    // MARK: Parts of sessions

    private func finishStep(of write: FileWrite) throws(StoreError) -> FileCompletion? {
        do throws(StoreError) {
            return try write.finishStep()
        } catch {
            // If the base of the write was overwritten or removed in the meantime, its unreadable chunks mean that the
            // file has changed, and are no damage.
            guard error.reason == .fileDamaged, try !openReader().isAsBefore(write) else { throw error }
            throw .fileChanged
        }
    }

    /// Rejects bytes that exceed the limit of an area before they are on the disk. The commit checks the limit again.
    private func expectRoom(_ growth: (path: FilePath, byteCount: UInt64)?) throws(StoreError) {
        guard let growth, source.fileQuotas.bytesMax(of: growth.path.area) > 0 else { return }
        try openReader().expectRoom(forFileOf: growth.byteCount, at: growth.path)
    }

    private func checkRoom(for userID: UInt32) throws(StoreError) {
        let own = sessions.values.count { $0.userID == userID }
        guard FairShare.admits(1, holding: own, free: FileWriteLimits.sessionsMax - sessions.count) else {
            throw StoreError(
                .tooManyFileWrites,
                """
                \(sessions.count) writes of files are running, \(own) of them yours; end one of yours, or try again \
                later
                """,
                retryAfterMilliseconds: 100)
        }
    }

    private func session(_ id: FileWriteID, userID: UInt32) throws(StoreError) -> Session {
        try source.expectOpen()
        guard let session = sessions[id], session.userID == userID else { throw .fileWriteNotFound }
        sessions[id]?.lastUsed = .now
        return session
    }

    private func endingOnFailure<Value>(
        _ id: FileWriteID, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            let value = try body()
            sessions[id]?.lastUsed = .now
            return value
        } catch {
            end(id)
            throw error
        }
    }

    private func end(_ id: FileWriteID) {
        guard let write = sessions.removeValue(forKey: id)?.write else { return }
        write.abandon()
        queueCleaning(write)
    }

    /// Queues the cleaning of the file that a write has changed, because it may contain slots that the write has freed
    /// or abandoned.
    private func queueCleaning(_ write: FileWrite) {
        if let id = write.targetID {
            cleaning.queueCleaning(id, sparesOthers: keepsUnnamed)
        }
    }

    private func openReader() -> StoreReader {
        if let reader {
            return reader
        }
        let made = source.makeReader()
        reader = made
        return made
    }

    private func openFolder() throws(StoreError) -> VaultFolder {
        if let folder {
            return folder
        }
        let opened = try VaultFolder(in: source.directory)
        try opened.syncNames()
        folder = opened
        return opened
    }
}
