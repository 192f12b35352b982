import ArgumentParser
import StoreClient

/// Which changes to show.
struct ChangeFilterOptions: ParsableArguments {
    @OptionGroup var conversation: OptionalConversationOption

    @Option(help: "Only changes of this kind. Can be repeated.")
    var kind: [ChangeKindOption] = []

    var subjects: [String] { conversation.subjects }

    var filter: WatchFilter {
        WatchFilter(kinds: kind.map(\.kind), conversation: conversation.reference)
    }
}

/// A kind of change, on the command line.
struct ChangeKindOption: ExpressibleByArgument {
    let kind: Change.Kind

    init?(argument: String) {
        guard let kind = Change.Kind(word: argument) else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] {
        Change.Kind.allCases.filter { $0 != .unknown }.map(\.word)
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }
}
