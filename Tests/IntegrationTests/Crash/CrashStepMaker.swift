import GhostTestSupport
import StoreBasics

/// Makes random writes for one writer: mostly saves, some with many messages at once, and also edits and deletes.
struct CrashStepMaker {
    let idPrefix: String
    private var generator: SplitMix
    private var count = 0
    /// The content of the store after all steps made so far.
    private(set) var state: CrashStep.State = [:]

    init(idPrefix: String, seed: UInt64) {
        self.idPrefix = idPrefix
        generator = SplitMix(seed: seed)
    }

    mutating func next() -> CrashStep {
        let step = choose()
        step.apply(to: &state)
        return step
    }

    private mutating func choose() -> CrashStep {
        let ids = state.keys.sorted()
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<2:
            if let id = ids.randomElement(using: &generator) {
                return .edit(id: id, text: text("edited"))
            }
        case 2:
            if ids.count > 2 {
                return .delete(Array(ids.shuffled(using: &generator).prefix(2)))
            }
        case 3..<7:
            return .save((0..<Int.random(in: 2...12, using: &generator)).map { _ in message() })
        default:
            break
        }
        return .save([message()])
    }

    private mutating func message() -> CrashMessage {
        count += 1
        return CrashMessage(
            id: "\(idPrefix)\(count)", text: text("message"),
            timestampMicroseconds: Int64.random(in: 1...2_000_000_000_000_000, using: &generator),
            isOutgoing: Bool.random(using: &generator))
    }

    /// Returns a unique text. Some texts are so long that they need pages of their own.
    private mutating func text(_ kind: String) -> String {
        let isLong = Int.random(in: 0..<16, using: &generator) == 0
        let words = Int.random(in: 1...(isLong ? 1_500 : 60), using: &generator)
        let body = (0..<words).map { _ in String(generator.next(), radix: 36) }
        return "\(kind) \(idPrefix)\(count) " + body.joined(separator: " ")
    }
}
