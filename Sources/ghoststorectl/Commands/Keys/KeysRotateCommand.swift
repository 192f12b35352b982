import ArgumentParser
import StoreClient

struct KeysRotateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Rewrite the store under a new master key, while it serves.",
        discussion: "Every slot keeps its secret. Interrupted at any point, the store opens all the same.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let generation = try await session.withProgress("rotating") { progress in
            try await session.client.rotateMasterKey(progress: progress)
        }
        var object = JSONObject()
        object.add("generation", generation)
        try session.output.say("the store is under a new master key (generation \(generation))", json: object)
    }
}
