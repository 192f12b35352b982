import ArgumentParser
import StoreClient

/// A conversation by either of its names.
struct ConversationOption: ParsableArguments {
    @Argument(help: "Session id of the conversation.")
    var session: String?

    @Option(name: .customLong("id"), help: ArgumentHelp("Id of the conversation instead.", valueName: "id"))
    var id: String?

    func validate() throws {
        guard (session == nil) != (id == nil) else {
            throw ValidationError("name the conversation by its session id or by --id, one of the two")
        }
    }

    var reference: ConversationReference {
        id.map { .id($0) } ?? .sessionID(session ?? "")
    }
}
