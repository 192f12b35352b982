import ArgumentParser
import StoreClient

/// A kind of change, on the command line.
struct ChangeKindOption: ExpressibleByArgument {
    let kind: Change.Kind

    init?(argument: String) {
        guard let kind = Change.Kind(word: argument) else {
            return nil
        }
        self.kind = kind
    }

    static var allValueStrings: [String] {
        Change.Kind.allCases.filter { $0 != .unknown }.map(\.word)
    }
}
