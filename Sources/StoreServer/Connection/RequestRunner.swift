import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// Runs the requests of one event loop on the thread that suits their work. Short ones run on the loop; others run on
/// the engine's threads or the administration queue, and their answers return through the loop's outbox.
final class RequestRunner {
    /// The most bytes of a page of messages that is read on the event loop; a larger page is read on a reader thread.
    /// This many bytes are in about 64 pages of the database, which the loop reads in about half a millisecond.
    private static let shortPageBytesMax = 128 << 10
    private static let deadlineExceeded = StoreError(
        .deadlineExceeded, "the request's deadline passed before the work began")

    let server: ServerContext
    /// The reader for short reads on this loop.
    private let reader: StoreReader
    let outbox: Outbox
    private let eventLoop: any EventLoop
    /// The number of reads since the loop last polled its sockets.
    private var readsInTurn = 0

    init(server: ServerContext, reader: StoreReader, outbox: Outbox, eventLoop: any EventLoop) {
        self.server = server
        self.reader = reader
        self.outbox = outbox
        self.eventLoop = eventLoop
    }

    /// Runs a request that may start now.
    func run(_ pending: PendingRequest, as request: RunningRequest, of connection: ConnectionHandler) {
        if let deadline = pending.deadline, MonotonicClock.nanoseconds >= deadline {
            connection.answer(request, .failure(Self.deadlineExceeded))
            return
        }
        if let failure = refusal(of: request.history) {
            connection.answer(request, .failure(failure))
            return
        }
        switch pending.command {
        case .ping:
            connection.answer(request, .pong)
        case .hello(let clientName):
            connection.log(.debug, "hello", ["client": "\(clientName)"])
            connection.life.callItself(clientName)
            connection.answer(request, .hello(uid: connection.caller.uid, for: request.answerScope, server))
        case .report(let report):
            let asker = Asker(uid: connection.caller.uid, scope: request.answerScope)
            connection.answer(request, Answer { () throws(StoreError) in try report(server, asker) })
        case .cancel(let id):
            connection.cancel(id)
            connection.answer(request, .cancelled)
        case .getMessage, .listMessages, .getSceneValues, .read:
            guard server.engine.hasUnseenWrites else { return read(pending, as: request, of: connection) }
            waitForWrites(pending, request)
        case .mutation(let mutation, _):
            submit(mutation, pending, request, connection)
        case .watch(let watch):
            connection.followers.begin(watch, request)
        case .wait(let subject, let milliseconds):
            connection.followers.begin(WaitingRead(subject), milliseconds: milliseconds, request)
        case .replica(let command):
            perform(command, pending, request, connection)
        case .blob(let command):
            perform(command, request, connection.caller)
        case .fileWrite(let command):
            perform(command, pending, request, connection)
        case .administration(let command):
            administer(command, request, connection, deadline: pending.deadline)
        }
    }

    /// Returns the reason to refuse a request at once, because it is about another history; `nil` to perform it. Work
    /// on another thread checks the history again on that thread, where no restore can happen between the check and the
    /// work.
    private func refusal(of history: HistoryID?) -> StoreError? {
        do throws(StoreError) {
            try server.engine.expect(history)
            return nil
        } catch {
            return error
        }
    }

    /// Waits, without blocking this thread, until reads can see all acknowledged writes. Then the request continues.
    private func waitForWrites(_ pending: PendingRequest, _ request: RunningRequest) {
        server.engine.makeWritesVisible { [outbox] result in
            switch result {
            case .success: outbox.post(.request(request, .writesVisible(pending)))
            case .failure(let error): outbox.post(.request(request, .answer(.failure(error))))
            }
        }
    }

    /// Runs a read that must see the writes acknowledged before it started.
    func read(_ pending: PendingRequest, as request: RunningRequest, of connection: ConnectionHandler) {
        countRead()
        let reader = reader.expecting(request.history)
        switch pending.command {
        case .getMessage(let id):
            getMessage(id, reader, request, connection)
        case .listMessages(let query):
            listMessages(query, reader, request, connection, deadline: pending.deadline)
        case .getSceneValues(let query) where query.isOfOneKey:
            connection.answer(request, SceneCalls.read(query, reader))
        case .getSceneValues(let query):
            encodeElsewhere(request, connection, deadline: pending.deadline) { SceneCalls.read(query, $0) }
        case .read(let read) where read.isLong:
            readLong(read, reader, request, connection, deadline: pending.deadline)
        case .read(let read):
            connection.answer(request, Answer { () throws(StoreError) in try read.answer(reader, request.answerScope) })
        case .ping, .hello, .report, .cancel, .mutation, .watch, .wait, .replica, .blob, .fileWrite, .administration:
            run(pending, as: request, of: connection)
        }
    }

    // MARK: Here

    /// Lets the second and all further reads since the last poll of the sockets share a snapshot.
    private func countRead() {
        readsInTurn += 1
        switch readsInTurn {
        case 1: eventLoop.assumeIsolated().execute { [self] in endTurn() }
        case 2: reader.beginBurst()
        default: break
        }
    }

    private func endTurn() {
        if readsInTurn > 1 {
            reader.endBurst()
        }
        readsInTurn = 0
    }

    private func getMessage(
        _ id: EntityID, _ reader: StoreReader, _ request: RunningRequest, _ connection: ConnectionHandler
    ) {
        let reads = MessageReads(reader: reader, frameBytesMax: server.configuration.frameBytesMax)
        var outcome = MessageReads.Outcome.written
        connection.answers.append { buffer in
            outcome = reads.get(id, ResponseHead(id: request.id), to: &buffer)
        }
        if case .failed(let failure) = outcome {
            connection.answer(request, .failure(failure))
        } else {
            connection.completed(request, failure: nil)
        }
    }

    /// Reads a short page on the event loop, because two changes of thread take longer than the read.
    private func listMessages(
        _ query: MessageQuery, _ reader: StoreReader, _ request: RunningRequest, _ connection: ConnectionHandler,
        deadline: UInt64?
    ) {
        let head = ResponseHead(id: request.id)
        let frameBytesMax = server.configuration.frameBytesMax
        var outcome = MessageReads.Outcome.tooLong
        if query.mayBeShort {
            let reads = MessageReads(reader: reader, frameBytesMax: frameBytesMax)
            let bytesMax = min(Self.shortPageBytesMax, frameBytesMax)
            connection.answers.append { buffer in
                outcome = reads.list(query, head, bytesMax: bytesMax, to: &buffer)
            }
        }
        switch outcome {
        case .written:
            connection.completed(request, failure: nil)
        case .failed(let failure):
            connection.answer(request, .failure(failure))
        case .tooLong:
            readElsewhere(request, connection, deadline: deadline) { reader in
                let reads = MessageReads(reader: reader, frameBytesMax: frameBytesMax)
                var frame = ByteBuffer()
                if case .failed(let failure) = reads.list(query, head, to: &frame) {
                    return .failure(failure)
                }
                return .success(frame)
            }
        }
    }

    // MARK: Elsewhere

    /// Runs a read on a reader thread, or here if it turns out to be short.
    private func readLong(
        _ read: Read, _ reader: StoreReader, _ request: RunningRequest, _ connection: ConnectionHandler,
        deadline: UInt64?
    ) {
        if let shortAnswer = read.shortAnswer {
            do throws(StoreError) {
                if let answer = try shortAnswer(reader) {
                    return connection.answer(request, answer)
                }
            } catch {
                return connection.answer(request, .failure(error))
            }
        }
        encodeElsewhere(request, connection, deadline: deadline) { reader in
            Answer { () throws(StoreError) in try read.answer(reader, request.answerScope) }
        }
    }

    private func encodeElsewhere(
        _ request: RunningRequest, _ connection: ConnectionHandler, deadline: UInt64?,
        _ read: @escaping @Sendable (StoreReader) -> Answer
    ) {
        let encoder = server.encoder
        readElsewhere(request, connection, deadline: deadline) { reader in
            encoder.frame(read(reader), ResponseHead(id: request.id))
        }
    }

    /// Runs a read on a reader thread and encodes the answer there.
    private func readElsewhere(
        _ request: RunningRequest, _ connection: ConnectionHandler, deadline: UInt64?,
        _ read: @escaping @Sendable (StoreReader) -> Result<ByteBuffer, StoreError>
    ) {
        do throws(StoreError) {
            try server.engine.readInBackground(for: connection.workOwner, deadline: deadline) {
                [outbox, server, life = connection.life] reader in
                guard !life.isOver else {
                    outbox.post(.request(request, .answer(.failure(.connectionClosed))))
                    return
                }
                if let deadline, MonotonicClock.nanoseconds >= deadline {
                    outbox.post(.request(request, .answer(.failure(Self.deadlineExceeded))))
                    return
                }
                switch read(reader.expecting(request.history)) {
                case .success(let frame): outbox.post(.request(request, .encoded(frame, request, server)))
                case .failure(let failure): outbox.post(.request(request, .answer(.failure(failure))))
                }
            }
        } catch {
            connection.answer(request, .failure(error))
        }
    }

    /// Runs a write on the writer thread, or here if no other connection of this loop has work, which saves waking two
    /// threads.
    private func submit(
        _ mutation: Mutation, _ pending: PendingRequest, _ request: RunningRequest, _ connection: ConnectionHandler
    ) {
        let write = WriteRequest(
            mutation, idempotencyKey: pending.idempotencyKey, owner: connection.workOwner, deadline: pending.deadline,
            history: pending.history, byteCount: pending.bytes)
        guard !request.kind.isAdministration else {
            let caller = connection.caller
            server.engine.submit(write) { [outbox, server] result in
                server.audit.record(.administration(request.kind, by: caller, slot: nil, failure: result.failure))
                outbox.post(.request(request, .committed(result, of: mutation)))
            }
            return
        }
        server.engine.submit(write, here: connection.isAlone) { [outbox] result in
            outbox.post(.request(request, .committed(result, of: mutation)))
        }
    }

    /// Runs an export or import on the engine's thread for exports and imports, and encodes the answer there.
    private func perform(_ command: BlobCommand, _ request: RunningRequest, _ caller: Caller) {
        let isAudited = request.kind.isAdministration
        server.engine.performBlobCommand(command, userID: caller.uid, history: request.history) {
            [outbox, server] result in
            // For a transfer in parts, the audit records its beginning, its end and failures.
            if isAudited, command.isAudited || result.failure != nil {
                server.audit.record(.administration(request.kind, by: caller, slot: nil, failure: result.failure))
            }
            switch result {
            case .success(let result): outbox.post(.request(request, .encoded(Answer(result), request, server)))
            case .failure(let error): outbox.post(.request(request, .answer(.failure(error))))
            }
        }
    }

    /// Runs a write of a file on the engine's thread for such writes, and encodes the answer there.
    private func perform(
        _ command: FileWriteCommand, _ pending: PendingRequest, _ request: RunningRequest,
        _ connection: ConnectionHandler
    ) {
        server.engine.performFileWrite(
            command, for: connection.workOwner, idempotencyKey: pending.idempotencyKey, history: request.history
        ) { [outbox, server] result in
            switch result {
            case .success(let result): outbox.post(.request(request, .encoded(Answer(result), request, server)))
            case .failure(let error): outbox.post(.request(request, .answer(.failure(error))))
            }
        }
    }

    /// Runs a command on the administration queue.
    private func administer(
        _ command: AdministrationCommand, _ request: RunningRequest, _ connection: ConnectionHandler, deadline: UInt64?
    ) {
        let caller = connection.caller
        let transfers = connection.auditedTransfers
        let isQueued = server.administrationQueue.submit(for: connection.workOwner, isUrgent: command.isUrgent) {
            [outbox, server] in
            let delivery: RequestDelivery
            var slot = command.slot
            if let deadline, MonotonicClock.nanoseconds >= deadline {
                delivery = .answer(.failure(Self.deadlineExceeded))
            } else {
                delivery = Self.outcome(of: command, request, uid: caller.uid, server, slot: &slot) {
                    outbox.post(.request(request, $0))
                }
            }
            // Recorded here and not with the answer, because the caller may have disconnected by then.
            if delivery.failure != nil || command.transfer.map({ transfers.carriedOut($0) }) ?? true {
                server.audit.record(
                    .administration(request.kind, by: caller, slot: slot, failure: delivery.failure))
            }
            outbox.post(.request(request, delivery))
            // Some commands create messages for the store's replica group. These are no changes of the store, so they
            // are announced separately.
            server.hub.announceReplication()
        }
        if !isQueued {
            server.audit.record(.refusal(.queueFull, call: request.kind, by: caller))
            connection.answer(
                request, .failure(StoreError(.queueFull, "too many administrative requests are waiting")))
        }
    }

    private static func outcome(
        of command: AdministrationCommand, _ request: RunningRequest, uid: UInt32, _ server: ServerContext,
        slot: inout Int?, progress post: @escaping (RequestDelivery) -> Void
    ) -> RequestDelivery {
        var pacer = ProgressPacer()
        do throws(StoreError) {
            try server.engine.expect(request.history)
            let outcome = try server.administration.perform(command, uid: uid) { progress in
                if pacer.isDue() {
                    post(.progress(done: UInt64(clamping: progress.done), total: UInt64(clamping: progress.total)))
                }
            }
            let result = outcome.result
            slot = outcome.slot ?? slot
            guard let code = outcome.takeRecoveryCode() else { return .answer(.result(result)) }
            return .secretFrame(SecretResponse.frame(ResponseHead(id: request.id), result, recoveryCode: code))
        } catch {
            return .answer(.failure(error))
        }
    }
}

extension RequestDelivery {
    /// The reason why the request failed; `nil` if it succeeded.
    fileprivate var failure: ErrorReason? {
        if case .answer(.failure(let failure)) = self { failure.reason } else { nil }
    }
}

extension Result where Failure == StoreError {
    fileprivate var failure: ErrorReason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }
}
