import ArgumentParser
import StoreClient

/// Which history of the store the numbers on a command line are of.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fail unless the store has this history id (32 digits; 'status' shows it). A restore changes the id.",
            valueName: "id"),
        completion: .live(.histories))
    var history: HistoryOption?

    /// The client that takes no other.
    func client(_ session: Session) -> StoreClient {
        session.client.with(history: history?.id)
    }
}

/// The id of a history, on the command line: hexadecimal as this program shows it, or base64 as the protobuf JSON of
/// `rpc` has it.
struct HistoryOption: ExpressibleByArgument {
    let id: HistoryID

    init?(argument: String) {
        guard let id = HistoryID(argument) ?? Base64.bytes(argument).flatMap(HistoryID.init(bytes:)) else { return nil }
        self.id = id
    }
}
