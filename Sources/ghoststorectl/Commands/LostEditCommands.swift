import ArgumentParser
import StoreClient

struct LostEditsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost-edits", abstract: "List texts that lost against later changes of other devices.",
        discussion: """
            If two devices change the text of a message, the notes of a contact or a draft at the same time, the later \
            change counts on all devices. Each device keeps the text that lost until you dismiss it.
            """)

    @OptionGroup var list: ListOptions<LostEditRow>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let names = try await LostEditRow.deviceNames(session.client)
        try await list.show(
            session, emptyText: "no lost edits",
            { edit in
                LostEditRow(edit: edit, device: edit.device.map { names[$0] ?? $0.description } ?? "")
            }
        ) {
            session.client.lostEdits(from: $0)
        }
    }
}

struct DismissEditCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss-edit", abstract: "Delete a lost edit.")

    @Argument(help: ArgumentHelp("Id of the edit, as 'replication lost-edits' shows it.", valueName: "edit"))
    var id: UInt64

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await session.client.dismissLostEdit(id)
        try session.output.say("the lost edit is deleted", json: ["dismissed_edit": String(id)])
    }
}
