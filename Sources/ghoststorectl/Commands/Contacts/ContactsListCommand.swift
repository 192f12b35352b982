import ArgumentParser
import StoreClient

struct ContactsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List contacts by name, the nameless ones last.")

    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    @Flag(inversion: .prefixedNo, help: "Only blocked ones, or only the others.")
    var blocked: Bool?

    @Flag(inversion: .prefixedNo, help: "Only trusted ones, or only the others.")
    var trusted: Bool?

    func run(_ session: Session) async throws {
        let filter = ContactFilter(isBlocked: blocked, isTrusted: trusted)
        var cursor = cursor
        repeat {
            let found = try await session.client.contactPage(filter, limit: page.pageRows, cursor: cursor)
            try session.output.show(found.contacts, emptyText: "no contacts")
            cursor = found.nextCursor
        } while page.all && cursor != nil
        session.hintAtMore("--cursor", cursor)
    }
}
