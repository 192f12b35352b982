import StoreBasics
import StoreProtocol
import Synchronization

/// Runs one `WatchMachine`: subscribes over the shared connection and wakes the one consumer.
final class WatchSession: Sendable {
    private struct State {
        var machine: WatchMachine
        var waiter: CheckedContinuation<Void, Never>?
        /// The request ID of each subscription, under the number of the subscription in the machine.
        var requestIDs: [Int: UInt64] = [:]
        /// The remaining changes of the consumer's current batch, last one first.
        var opened: [Change] = []
        var consumedRevision: UInt64 = 0
    }

    private let connection: SharedConnection
    private let request: WireWatchRequest
    private let startDeadline: UInt64?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - request: The watch, without the revision to start after.
    ///   - waitsWhileLocked: True if the watch continues when a locked store is open again.
    init(
        connection: SharedConnection, _ request: WireWatchRequest, after revision: UInt64?, of history: HistoryID?,
        startDeadline: UInt64?, waitsWhileLocked: Bool = true
    ) {
        self.connection = connection
        self.request = request
        self.startDeadline = startDeadline
        let machine = WatchMachine(
            after: revision, of: history, bufferChangesMax: max(1, connection.configuration.watchBufferChangesMax),
            waitsWhileLocked: waitsWhileLocked)
        state = Mutex(State(machine: machine))
    }

    deinit {
        for id in state.withLock({ Array($0.requestIDs.values) }) {
            connection.driver.cancel(id)
        }
    }

    /// The revision up to which the consumer has consumed every matching change.
    var consumedRevision: UInt64 {
        state.withLock { state in
            let empty = state.opened.isEmpty ? state.machine.consumedRevision : nil
            return max(state.consumedRevision, empty ?? 0)
        }
    }

    var history: HistoryID? {
        state.withLock { $0.machine.history }
    }

    // MARK: The consumer

    /// Subscribes, and waits until the daemon has confirmed the watch.
    func start() async throws(StoreClientError) {
        perform(state.withLock { $0.machine.start() })
        while true {
            let standing: Result<UInt64?, StoreClientError> = state.withLock { state in
                Result { () throws(StoreClientError) in try state.machine.standing() }
            }
            if let revision = try standing.get() {
                state.withLock { $0.consumedRevision = revision }
                return
            }
            await wait { $0.isStarting }
        }
    }

    /// Returns the next change. Only one task may wait for it at a time.
    func next() async throws(StoreClientError) -> Change {
        let change = try await first()
        removeFirst()
        return change
    }

    /// Returns the next change, which stays the next one until `removeFirst`. Only one task may wait for it at a time.
    func first() async throws(StoreClientError) -> Change {
        while true {
            if let change = state.withLock({ $0.opened.last }) {
                return change
            }
            try await openNext()
        }
    }

    /// Removes the first change after the consumer has processed it.
    func removeFirst() {
        state.withLock { state in
            guard let change = state.opened.popLast() else { return }
            state.consumedRevision = max(state.consumedRevision, change.revision)
        }
    }

    /// Opens the next batch, or waits until there is one.
    private func openNext() async throws(StoreClientError) {
        switch state.withLock({ $0.machine.next }) {
        case .batch(let batch): try open(batch)
        case .failure(let error): throw error
        case .wait: await wait { $0.mustConsumerWait }
        }
    }

    /// Decodes the machine's oldest batch on the consumer's thread. The batch stays in the machine until it is decoded,
    /// so that `consumedRevision` never includes a batch that was not delivered.
    private func open(_ batch: WatchBatch) throws(StoreClientError) {
        do throws(StoreClientError) {
            let changes = try batch.changes()
            let actions = state.withLock { state in
                state.opened = changes.reversed()
                return state.machine.removeBatch()
            }
            perform(actions)
        } catch {
            perform(state.withLock { $0.machine.end(error) })
            throw error
        }
    }

    /// Waits until woken, or returns at once if there is nothing to wait for. A cancelled task ends the watch.
    private func wait(while mustWait: (borrowing WatchMachine) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isWaiting = state.withLock { state in
                    precondition(state.waiter == nil, "only one task may wait for the changes of a watch")
                    guard mustWait(state.machine) else { return false }
                    state.waiter = continuation
                    return true
                }
                if !isWaiting {
                    continuation.resume()
                } else if Task.isCancelled {
                    endBecauseCancelled()
                }
            }
        } onCancel: {
            endBecauseCancelled()
        }
    }

    private func endBecauseCancelled() {
        let error = StoreClientError(.cancelled(wasSent: false), fault: nil, configuration: connection.configuration)
        perform(state.withLock { $0.machine.end(error) })
    }

    // MARK: The daemon

    private func perform(_ actions: [WatchMachine.Action]) {
        for action in actions {
            switch action {
            case .subscribe(let revision, let history, let number, let isStart):
                subscribe(after: revision, of: history, number: number, deadline: isStart ? startDeadline : nil)
            case .unsubscribe(let number):
                if let id = state.withLock({ $0.requestIDs.removeValue(forKey: number) }) {
                    connection.driver.cancel(id)
                }
            case .pause(let attempt):
                connection.driver.afterReconnectDelay(attempt: attempt) { [weak self] in
                    guard let self else { return }
                    perform(state.withLock { $0.machine.pauseEnded() })
                }
            case .wake:
                state.withLock { $0.waiter.take() }?.resume()
            }
        }
    }

    private func subscribe(after revision: UInt64?, of history: HistoryID?, number: Int, deadline: UInt64?) {
        let id = connection.driver.makeID()
        let body: RequestBody
        do throws(StoreClientError) {
            var request = request
            if let revision {
                request.afterRevision = revision
            }
            body = try RequestBody(.watch(request)).requiring(history)
        } catch {
            ended(error, number: number)
            return
        }
        let terms = CallTerms(isRepeatable: false, isStream: true, deadline: deadline)
        // The consumer may drop the session at any time, so the connection must not keep it alive.
        let call = OutgoingCall(id: id, body: body, terms: terms) { [weak self] event in
            self?.received(event, number: number)
        }
        // The check and the submission are one step. If another thread ends the watch, that thread either comes first,
        // and nothing is subscribed, or it finds the request ID and can cancel the call.
        state.withLock { state in
            if state.machine.isActive(number) {
                state.requestIDs[number] = id
                connection.driver.submit(call)
            }
        }
    }

    private func received(_ event: CallEvent, number: Int) {
        switch event {
        case .failure(let error):
            ended(error, number: number)
        case .answer(let answer):
            do throws(StoreClientError) {
                let batch = try WatchBatch(answer)
                perform(state.withLock { $0.machine.received(batch, number: number) })
                if answer.isFinal {
                    ended(.answerUnreadable("the daemon ended the watch without a reason"), number: number)
                }
            } catch {
                ended(error, number: number)
            }
        }
    }

    private func ended(_ error: StoreClientError, number: Int) {
        let actions = state.withLock { state in
            state.requestIDs[number] = nil
            return state.machine.failed(error, number: number)
        }
        perform(actions)
    }
}
