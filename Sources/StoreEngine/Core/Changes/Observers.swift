import Synchronization

/// Who is told of events of one kind, in order, on the thread that has them.
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

    /// Lets go of all who are told, and of what they hold.
    func removeAll() {
        state.withLock { $0.observers.removeAll() }
    }

    func tell(_ events: [Event]) {
        guard !events.isEmpty else { return }
        for entry in state.withLock({ $0.observers }) {
            entry.observer(events)
        }
    }
}

/// Being told of events, until cancelled.
package final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    package func cancel() {
        end()
    }
}

/// Who wants to know when the answers of one commit begin and end: they come in a burst, and are cheaper handed on as
/// one.
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

    /// Runs `answer` between the beginnings and the ends.
    func around(_ answer: () -> Void) {
        let brackets = brackets.withLock { $0 }
        brackets.forEach { $0.begin() }
        answer()
        brackets.forEach { $0.end() }
    }
}
