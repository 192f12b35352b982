import ArgumentParser
import StoreClient

struct ChangeFilterOptions: ParsableArguments {
    @OptionGroup var conversation: OptionalConversationOption

    @Option(help: "Only changes of this kind. Can be repeated.")
    var kind: [WordOption<Change.Kind>] = []

    var subjects: [String] { conversation.subjects }

    var filter: WatchFilter {
        WatchFilter(kinds: kind.map(\.value), conversation: conversation.reference)
    }
}
