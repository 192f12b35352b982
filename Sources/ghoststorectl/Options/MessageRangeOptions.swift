import ArgumentParser
import StoreClient

/// When messages were, whose they are and which way they went.
struct MessageRangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("At or after a time: \(TimeOption.help).", valueName: "time"))
    var from: TimeOption?

    @Option(help: ArgumentHelp("Before a time.", valueName: "time"))
    var until: TimeOption?

    @Option(help: ArgumentHelp("Only of this sender.", valueName: "session"))
    var sender: String?

    @Flag(help: "Only incoming ones.")
    var incoming = false

    @Flag(help: "Only outgoing ones.")
    var outgoing = false

    func validate() throws {
        guard !incoming || !outgoing else {
            throw ValidationError("--incoming and --outgoing exclude each other")
        }
    }

    /// Nil: both ways.
    var isOutgoing: Bool? {
        incoming ? false : outgoing ? true : nil
    }
}
