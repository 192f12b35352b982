import ArgumentParser
import StoreClient

/// The store's history to which the revisions and positions on a command line belong.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fail unless the store has this history id (32 digits; 'status' shows it). A restore changes the id.",
            valueName: "id"),
        completion: .live(.histories))
    var history: HistoryOption?

    /// Returns a client that fails on a store with another history.
    func client(_ session: Session) -> StoreClient {
        session.client.with(history: history?.id)
    }
}

/// The ID of a history on the command line: hexadecimal as this program prints it, or base64 as in the protobuf JSON of
/// `rpc`.
struct HistoryOption: ExpressibleByArgument {
    let id: HistoryID

    init?(argument: String) {
        guard let id = HistoryID(argument) ?? Base64.bytes(argument).flatMap(HistoryID.init(bytes:)) else { return nil }
        self.id = id
    }
}
