import StoreBasics
import StoreCrypto

/// The running exports and imports. Only the thread of `BlobThread` may use it.
final class BlobSessions: SessionHolder {
    static let threadName = "store-blobs"
    static let waitingRequestsMax = BlobLimits.waitingRequestsMax

    /// The parts of the engine that sessions need.
    struct Source: Sendable {
        var makeReader: @Sendable () -> StoreReader
        /// Returns the history of the open store; `nil` while the store is closed.
        var history: @Sendable () -> HistoryID?
        /// Saves messages and waits for the commit.
        var save: @Sendable ([NewMessage], TransferOrigin) throws(StoreError) -> Commit
        /// Restores records of an archive and waits for their commits.
        var restore: @Sendable (RestoreBatch, TransferOrigin) throws(StoreError) -> RestoreTally
        var directory: StateDirectory
        /// Keeps released contents of files on the disk until the returned function is called.
        var holdCleaning: @Sendable () throws(StoreError) -> @Sendable () -> Void
        /// Keeps a new vault file on the disk while no row refers to it yet.
        var holdContent: ContentHold
        var now: @Sendable () -> Timestamp
        var allowsLowCost: Bool
    }

    private enum Work {
        case export(BlobExport)
        case `import`(BlobImport)
        case archive(ArchiveExport)
        case restore(ArchiveRestore)
    }

    private struct Session {
        let userID: UInt32
        let work: Work
        let begunAt: ContinuousClock.Instant
        var lastUsed: ContinuousClock.Instant

        /// Returns the time at which the session ends; `nil` for a restore with a waiting request, because only
        /// idleness ends a restore.
        func endsAt(_ limits: Limits, isWaitedFor: Bool = false) -> ContinuousClock.Instant? {
            let idleEnd = isWaitedFor ? nil : lastUsed + limits.idle
            switch work {
            case .restore: return idleEnd
            case .export, .import, .archive: return min(idleEnd ?? begunAt + limits.lifetime, begunAt + limits.lifetime)
            }
        }
    }

    /// The limits for the duration of a session. An export holds a snapshot, and the WAL cannot shrink until the
    /// snapshot ends.
    struct Limits {
        var idle = Duration.seconds(BlobLimits.idleSecondsMax)
        /// The longest time of a session. It does not apply to restores of archives, which hold no snapshot and may
        /// have any length.
        var lifetime = Duration.seconds(BlobLimits.lifetimeSecondsMax)
    }

    private let source: Source
    private let limits: Limits
    private var sessions: [BlobSessionID: Session] = [:]
    private let throttle = PassphraseThrottle()

    init(source: Source, limits: Limits = Limits()) {
        self.source = source
        self.limits = limits
    }

    /// - Parameters:
    ///   - userID: The user who begins the session or must have begun it.
    ///   - history: The history of the command; `nil` for any.
    func perform(
        _ command: BlobCommand, userID: UInt32, history: HistoryID? = nil
    ) throws(StoreError) -> BlobResult {
        // All of this work uses one history, even if a backup replaces the store in the meantime.
        let present = source.history() ?? .none
        try History.expect(history, is: present)
        switch command {
        case .beginExport(let request):
            return try beginExport(request, userID: userID, in: present)
        case .readExport(let id, let offset):
            guard case .export(let export) = try session(id, userID: userID).work else { throw Self.notFound }
            let piece = try endingOnFailure(id) { () throws(StoreError) in try export.nextPiece(at: offset) }
            if piece.isLast {
                sessions[id] = nil
            }
            return .piece(piece)
        case .beginImport(let request):
            return try beginImport(request, userID: userID, in: present)
        case .writeImport(let id, let offset, let data):
            guard case .import(let running) = try session(id, userID: userID).work else { throw Self.notFound }
            return .importContinued(bytesReceived: try write(data, at: offset, to: running, id, userID: userID))
        case .finishImport(let id):
            guard case .import(let running) = try session(id, userID: userID).work else { throw Self.notFound }
            defer { sessions[id] = nil }
            return .importFinished(try running.finish())
        case .archive(let request):
            return try archive(request, userID: userID, in: present)
        case .archivePiece(let id, let offset):
            guard case .archive(let archive) = try session(id, userID: userID).work else { throw Self.notFound }
            let piece = try endingOnFailure(id) { () throws(StoreError) in try archive.nextPiece(at: offset) }
            if piece.isLast {
                sessions[id] = nil
            }
            return .archivePiece(piece)
        case .beginRestore(let request):
            return try beginRestore(request, userID: userID, in: present)
        case .writeRestore(let id, let offset, let data):
            guard case .restore(let running) = try session(id, userID: userID).work else { throw Self.notFound }
            return .restoreContinued(
                bytesReceived: try write(data, at: offset, to: running, id, userID: userID))
        case .finishRestore(let id):
            guard case .restore(let running) = try session(id, userID: userID).work else { throw Self.notFound }
            defer { sessions[id] = nil }
            return .restoreFinished(try running.finish())
        case .end(let id):
            end(id, userID: userID)
            return .ended
        case .endArchive(let id):
            end(id, userID: userID)
            return .archiveEnded
        }
    }

    private func end(_ id: BlobSessionID, userID: UInt32) {
        if sessions[id]?.userID == userID {
            sessions[id] = nil
        }
    }

    func endAll() {
        sessions.removeAll()
    }

    func endExports() {
        sessions = sessions.filter { _, session in
            switch session.work {
            case .export, .archive: false
            case .import, .restore: true
            }
        }
    }

    /// Ends the sessions that have been idle for too long, or have lasted too long.
    ///
    /// - Parameter waiting: Sessions with a waiting request, which are not idle.
    func endIdle(sparing waiting: Set<BlobSessionID> = []) {
        let now = ContinuousClock.now
        sessions = sessions.filter { id, session in
            session.endsAt(limits, isWaitedFor: waiting.contains(id)).map { $0 > now } ?? true
        }
    }

    /// The time until `endIdle` may have a session to end; `nil` while nothing runs.
    var millisecondsToIdleEnd: Int? {
        guard let first = sessions.values.compactMap({ $0.endsAt(limits) }).min() else { return nil }
        return max(1, Int((first - ContinuousClock.now) / .milliseconds(1)) + 1)
    }

    func workInBackground() -> Bool { false }

    /// Writes a part to a session. A wrong passphrase delays the next attempts of the user. A part that arrives before
    /// the delay has passed is refused, and its session stays unchanged.
    private func write(
        _ data: [UInt8], at offset: UInt64, to running: some ReceivingSession, _ id: BlobSessionID, userID: UInt32
    ) throws(StoreError) -> UInt64 {
        guard running.triesPassphrase else {
            return try endingOnFailure(id) { () throws(StoreError) in try running.write(data, at: offset) }
        }
        try throttle.check(userID: userID)
        do throws(StoreError) {
            let received = try endingOnFailure(id) { () throws(StoreError) in try running.write(data, at: offset) }
            if !running.triesPassphrase {
                throttle.succeeded(userID: userID)
            }
            return received
        } catch {
            if error.reason == .blobSecretWrong || error.reason == .archiveSecretWrong {
                throttle.failed(userID: userID)
            }
            throw error
        }
    }

    private func beginExport(
        _ request: BlobExportRequest, userID: UInt32, in history: HistoryID
    ) throws(StoreError) -> BlobResult {
        try checkRoom(for: userID)
        let export = try BlobExport(
            request, reader: source.makeReader().expecting(history), allowsLowCost: source.allowsLowCost)
        let id = add(.export(export), userID: userID)
        return .exportBegun(
            BlobExportStart(session: id, messageCount: export.messageCount, totalBytes: export.totalBytes))
    }

    private func beginImport(
        _ request: BlobImportRequest, userID: UInt32, in history: HistoryID
    ) throws(StoreError) -> BlobResult {
        try checkRoom(for: userID)
        let destination = try destination(request, in: history)
        let save = source.save
        let running = BlobImport(request, secret: request.secret?.take(), to: destination) {
            (messages, byteCount) throws(StoreError) in
            try save(messages, TransferOrigin(userID: userID, history: history, byteCount: byteCount))
        }
        return .importBegun(add(.import(running), userID: userID))
    }

    private func archive(
        _ request: ArchiveRequest, userID: UInt32, in history: HistoryID
    ) throws(StoreError) -> BlobResult {
        try checkRoom(for: userID)
        let archive = try ArchiveExport(
            request, reader: source.makeReader().expecting(history), allowsLowCost: source.allowsLowCost,
            now: source.now(), release: try source.holdCleaning())
        return .archiveBegun(
            ArchiveStart(session: add(.archive(archive), userID: userID), header: archive.header))
    }

    private func beginRestore(
        _ request: ArchiveRestoreRequest, userID: UInt32, in history: HistoryID
    ) throws(StoreError) -> BlobResult {
        try checkRoom(for: userID)
        let reader = source.makeReader().expecting(history)
        defer { reader.close() }
        switch request.aim {
        case .verify: break
        case .fillEmpty: try reader.expectEmpty()
        case .merge: _ = try reader.read { (_) throws(StoreError) in () }
        }
        let restore = source.restore
        let target = ArchiveRestore.Target(
            save: { (batch, byteCount) throws(StoreError) in
                try restore(batch, TransferOrigin(userID: userID, history: history, byteCount: byteCount))
            }, directory: source.directory, holdContent: source.holdContent)
        let running = ArchiveRestore(request, secret: request.secret?.take(), to: target)
        return .restoreBegun(add(.restore(running), userID: userID))
    }

    private func destination(
        _ request: BlobImportRequest, in history: HistoryID
    ) throws(StoreError) -> BlobImport.Destination {
        guard let conversation = request.conversation else {
            guard request.isDryRun else {
                throw .invalidArgument("the request names no conversation; only a dry run works without a conversation")
            }
            return BlobImport.Destination(
                conversation: .session(SessionID(trusted: "")), sessionID: "", ids: nil)
        }
        let sessionID = try sessionID(conversation, in: history)
        guard let importID = request.importID else {
            guard request.isDryRun else {
                throw .invalidArgument("the import id is missing; use the content id that a dry run returns")
            }
            return BlobImport.Destination(conversation: conversation, sessionID: sessionID, ids: nil)
        }
        try FieldLimits.check(name: importID, named: "import id", bytesMax: BlobLimits.importIDBytesMax)
        return BlobImport.Destination(
            conversation: conversation, sessionID: sessionID,
            ids: BlobMessageIDs(importID: importID, sessionID: sessionID))
    }

    /// Returns the session id of a conversation.
    ///
    /// - Throws: `.conversationNotFound` for an unknown id; a session id may be new.
    private func sessionID(
        _ conversation: ConversationReference, in history: HistoryID
    ) throws(StoreError) -> String {
        let reader = source.makeReader().expecting(history)
        defer { reader.close() }
        switch conversation {
        case .session(let sessionID):
            // Read only to throw an error if the store is not open.
            _ = try reader.conversation(conversation, includeAvatar: false)
            return sessionID.text
        case .id:
            guard let found = try reader.conversation(conversation, includeAvatar: false) else {
                throw StoreError(.conversationNotFound, "there is no such conversation; create it or check its id")
            }
            return found.sessionID.text
        }
    }

    private func checkRoom(for userID: UInt32) throws(StoreError) {
        let own = sessions.values.count { $0.userID == userID }
        guard FairShare.admits(1, holding: own, free: BlobLimits.sessionsMax - sessions.count) else {
            throw StoreError(
                .tooManyBlobSessions,
                """
                \(sessions.count) exports and imports are running, \(own) of them yours; end one of yours, or try \
                again later
                """,
                retryAfterMilliseconds: 1_000)
        }
    }

    private func add(_ work: Work, userID: UInt32) -> BlobSessionID {
        let id = BlobSessionID(number: .random(in: 1 ... .max))
        sessions[id] = Session(userID: userID, work: work, begunAt: .now, lastUsed: .now)
        return id
    }

    private func session(_ id: BlobSessionID, userID: UInt32) throws(StoreError) -> Session {
        guard let session = sessions[id], session.userID == userID else { throw Self.notFound }
        sessions[id]?.lastUsed = .now
        return session
    }

    /// Runs `body`, and ends the session if it fails, because the session's file then has a gap.
    private func endingOnFailure<Value>(
        _ id: BlobSessionID, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            let value = try body()
            sessions[id]?.lastUsed = .now
            return value
        } catch {
            sessions[id] = nil
            throw error
        }
    }

    private static let notFound = StoreError(
        .blobSessionNotFound,
        """
        the export or import is not running: it has ended, was idle for too long, or made the write-ahead log too \
        large; begin another export or import
        """
    )
}

/// The user and the history of a transfer's write.
struct TransferOrigin: Sendable {
    let userID: UInt32
    let history: HistoryID
    /// The approximate memory in bytes of the waiting write.
    let byteCount: Int
}
