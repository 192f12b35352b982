import Synchronization

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

    /// Runs `answer` between the beginnings and the ends.
    func around(_ answer: () -> Void) {
        let brackets = brackets.withLock { $0 }
        brackets.forEach { $0.begin() }
        answer()
        brackets.forEach { $0.end() }
    }
}
