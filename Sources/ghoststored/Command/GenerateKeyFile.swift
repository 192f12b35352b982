internal import ArgumentParser
internal import StoreCrypto

/// `ghoststored generate-key-file`: makes a key that opens a store without a person.
struct GenerateKeyFile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-key-file",
        abstract: "Write a new random key file, readable by its owner alone. An existing file is never replaced.")

    @Argument(help: "The file to make.")
    var path: String

    func run() async throws {
        try await exiting {
            try ProcessSettings.apply()
            do {
                try SodiumRuntime.start()
                try KeyFile.generate(at: path)
            } catch let error as CryptoError {
                throw DaemonError(.cannotCreate, error.message)
            }
        }
    }
}
