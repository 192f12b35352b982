import ArgumentParser
import StoreClient

struct ChangeFilterOptions: ParsableArguments {
    @OptionGroup var conversation: OptionalConversationOption

    @Option(help: "Only changes of this kind. Can be repeated.")
    var kind: [WordOption<Change.Kind>] = []

    @Option(
        help: ArgumentHelp("Only changes of messages and conversations with this kind of yours.", valueName: "kind"))
    var kindName: String?

    var subjects: [String] { conversation.subjects }

    var filter: WatchFilter {
        WatchFilter(kinds: kind.map(\.value), conversation: conversation.reference, kindName: kindName)
    }
}
