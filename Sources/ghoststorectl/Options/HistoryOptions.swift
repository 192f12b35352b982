import ArgumentParser
import StoreClient

/// Which history of the store the numbers on a command line are of.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only if the store still has this history, which `status` shows; a restore changes it.", valueName: "id"))
    var history: HistoryOption?

    /// The client that takes no other.
    func client(_ session: Session) -> StoreClient {
        session.client.with(history: history?.id)
    }
}

/// The id of a history, on the command line.
struct HistoryOption: ExpressibleByArgument {
    let id: HistoryID

    init?(argument: String) {
        guard let id = HistoryID(argument) else { return nil }
        self.id = id
    }
}
