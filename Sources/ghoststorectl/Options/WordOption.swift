import ArgumentParser
import StoreClient

/// A value that the command line and JSON write as a word: `readOnly` is `read-only`.
protocol Worded: RawRepresentable<String>, CaseIterable, Sendable {}

extension Worded {
    var word: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// Creates the value; `nil` if no value has this word.
    init?(word: String) {
        guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}

extension Backup.Kind: Worded {}
extension Change.Kind: Worded {}
extension Change.Operation: Worded {}
extension KeySlotKind: Worded {}
extension MessageStatus: Worded {}
extension MessageTimer.Start: Worded {}
extension SceneTier: Worded {}
extension StoreState: Worded {}

/// An option or argument whose value is given by its word, such as `read-only`.
struct WordOption<Value: Worded>: ExpressibleByArgument {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument), let value = Value(word: argument) else { return nil }
        self.value = value
    }

    /// All words that a command line accepts. `unknown` is not accepted: it stands for values that only a newer daemon
    /// knows.
    static var allValueStrings: [String] {
        Value.allCases.map(\.word).filter { $0 != "unknown" }
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }

    var defaultValueDescription: String { value.word }
}
