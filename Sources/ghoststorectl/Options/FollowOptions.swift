import ArgumentParser
import StoreClient

/// The number of results after which a following command ends.
struct CountOption: ParsableArguments {
    @Option(help: ArgumentHelp("Stop after this many results.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard (count ?? 1) > 0 else { throw ValidationError("--count must be at least 1") }
    }
}

/// The start and the end of a watch of changes.
struct WatchOptions: ParsableArguments {
    @OptionGroup var history: HistoryOptions
    @OptionGroup var count: CountOption

    @Option(help: ArgumentHelp("First print the recorded changes after this revision.", valueName: "revision"))
    var after: UInt64?

    var following: RevisionFollowing {
        RevisionFollowing(after: after, history: history.history?.id, count: count.count)
    }
}
