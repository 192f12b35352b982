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

/// A value of a type, given by its word on the command line.
struct WordOption<Value: Worded>: ExpressibleByArgument {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument), let value = Value(word: argument) else { return nil }
        self.value = value
    }

    /// All words, except the word of values that this program does not know.
    static var allValueStrings: [String] {
        Value.allCases.map(\.word).filter { $0 != "unknown" }
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }

    var defaultValueDescription: String { value.word }
}
