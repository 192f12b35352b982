import ArgumentParser
import StoreClient

struct ScenesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the scenes that have values of their own, or the keys of one.")

    @Argument(help: "List the keys of this scene, with those it shares.")
    var scene: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    func validate() throws {
        guard scene != "" else {
            throw ValidationError("'' has no list of keys; `scenes get ''` shows what all scenes share")
        }
    }

    func run(_ session: Session) async throws {
        var cursor = cursor
        repeat {
            cursor = try await showPage(session, cursor)
        } while page.all && cursor != nil
        session.hintAtMore("--cursor", cursor)
    }

    /// - Returns: where the next page starts.
    private func showPage(_ session: Session, _ start: String?) async throws -> String? {
        if let scene {
            let found = try await session.client.sceneEntryPage(
                scene, keysOnly: true, limit: page.pageRows, cursor: start)
            try session.output.show(found.entries, emptyText: "no keys")
            return found.nextCursor
        }
        let found = try await session.client.scenePage(limit: page.pageRows, cursor: start)
        try session.output.show(found.scenes, emptyText: "no scenes")
        return found.nextCursor
    }
}
