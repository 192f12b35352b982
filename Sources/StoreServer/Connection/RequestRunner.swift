import Logging
import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// Runs the requests of one event loop where their work belongs: here what is short, on the engine's threads and on
/// the administration queue the rest, whose answers come back through the loop's outbox.
final class RequestRunner {
    /// Bytes of messages that an event loop reads in one go: some 64 database pages, about half a millisecond.
    private static let shortPageBytesMax = 128 << 10
    private static let deadlineExceeded = StoreError(
        .deadlineExceeded, "the request's deadline passed before the work began")

    let server: ServerContext
    /// For short reads on this loop.
    private let reader: StoreReader
    let outbox: Outbox
    private let eventLoop: any EventLoop
    /// Since the loop has last looked at its sockets.
    private var readsInTurn = 0

    init(server: ServerContext, reader: StoreReader, outbox: Outbox, eventLoop: any EventLoop) {
        self.server = server
        self.reader = reader
        self.outbox = outbox
        self.eventLoop = eventLoop
    }

    /// Runs a request whose turn has come.
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

    /// Why a request about another history is refused at once. What does its work elsewhere is asked there again, where
    /// no restore comes between.
    private func refusal(of history: HistoryID?) -> StoreError? {
        do throws(StoreError) {
            try server.engine.expect(history)
            return nil
        } catch {
            return error
        }
    }

    /// What was answered before is to be seen, and this thread must not wait for it.
    private func waitForWrites(_ pending: PendingRequest, _ request: RunningRequest) {
        server.engine.makeWritesVisible { [outbox] result in
            switch result {
            case .success: outbox.post(.request(request, .writesVisible(pending)))
            case .failure(let error): outbox.post(.request(request, .answer(.failure(error))))
            }
        }
    }

    /// Runs a read that sees what was answered before its turn came.
    func read(_ pending: PendingRequest, as request: RunningRequest, of connection: ConnectionHandler) {
        noteRead()
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

    /// All reads but the first that come of one look at the sockets share a snapshot.
    private func noteRead() {
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

    /// A short page is read here: two hops between threads take longer than reading it.
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

    /// What turns out to be short is read here.
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

    /// On a reader thread, encoded there as well.
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

    /// On the writer thread, or here where nobody else of this loop has anything to do: two threads less to wake.
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

    /// On the engine's thread for exports and imports, encoded there as well.
    private func perform(_ command: BlobCommand, _ request: RunningRequest, _ caller: Caller) {
        let isAudited = request.kind.isAdministration
        server.engine.performBlobCommand(command, userID: caller.uid, history: request.history) {
            [outbox, server] result in
            // Of what goes over in pieces, its beginning, its end and what fails.
            if isAudited, command.isAudited || result.failure != nil {
                server.audit.record(.administration(request.kind, by: caller, slot: nil, failure: result.failure))
            }
            switch result {
            case .success(let result): outbox.post(.request(request, .encoded(Answer(result), request, server)))
            case .failure(let error): outbox.post(.request(request, .answer(.failure(error))))
            }
        }
    }

    /// On the engine's thread for writes of files, encoded there as well.
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

    /// On the administration queue.
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
            // Here, and not where it is answered: whoever asked may be gone by then.
            if delivery.failure != nil || command.transfer.map({ transfers.carriedOut($0) }) ?? true {
                server.audit.record(
                    .administration(request.kind, by: caller, slot: slot, failure: delivery.failure))
            }
            outbox.post(.request(request, delivery))
            // Some of it is told to the store's group, and is no change of the store.
            server.hub.noteReplication()
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
    /// Why the request failed; `nil` where it did not.
    fileprivate var failure: ErrorReason? {
        if case .answer(.failure(let failure)) = self { failure.reason } else { nil }
    }
}

extension Result where Failure == StoreError {
    fileprivate var failure: ErrorReason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }
}
