import ArgumentParser
import StoreClient

struct CheckCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read every page and row of the store and say what is wrong with it.",
        discussion: "Exits 4 when something is.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let report = try await session.withProgress("checking") { progress in
            try await session.client.checkStore(progress: progress)
        }
        try session.output.show(report)
        guard report.isClean else {
            throw CommandFailure(
                .damaged, "the store is damaged: \(Quantity.count(report.findings.count, "finding"))")
        }
    }
}
