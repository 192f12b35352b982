import Synchronization

/// A list of observers of one kind of events. Observers are called in order, on the thread that reports the events.
final class Observers<Event: Sendable>: Sendable {
    typealias Observer = @Sendable ([Event]) -> Void

    private struct State {
        var nextNumber = 0
        var observers: [(number: Int, observer: Observer)] = []
    }

    private let state = Mutex(State())

    func add(_ observer: @escaping Observer) -> Observation {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.observers.append((state.nextNumber, observer))
            return state.nextNumber
        }
        return Observation { [weak self] in
            self?.state.withLock { $0.observers.removeAll { $0.number == number } }
        }
    }

    /// Removes all observers and releases what they hold.
    func removeAll() {
        state.withLock { $0.observers.removeAll() }
    }

    func notify(_ events: [Event]) {
        guard !events.isEmpty else { return }
        for entry in state.withLock({ $0.observers }) {
            entry.observer(events)
        }
    }
}

/// The registration of an observer, which ends with `cancel`.
package final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    package func cancel() {
        end()
    }
}

/// Callbacks that run before and after the answers of each commit. The answers come in a burst, and an event loop can
/// send them more cheaply together.
final class AnswerBrackets: Sendable {
    private struct Bracket: Sendable {
        let begin: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private let brackets = Mutex<[Bracket]>([])

    func add(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        brackets.withLock { $0.append(Bracket(begin: begin, end: end)) }
    }

    func removeAll() {
        brackets.withLock { $0.removeAll() }
    }

    /// Calls all `begin` callbacks, `answer`, and then all `end` callbacks.
    func around(_ answer: () -> Void) {
        let brackets = brackets.withLock { $0 }
        brackets.forEach { $0.begin() }
        answer()
        brackets.forEach { $0.end() }
    }
}
