import ArgumentParser
import StoreClient

struct BlobsInspectCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Tell what a message file holds, and whether it is whole.",
        discussion: """
            A plain file is read here, all of it; no daemon is needed. Of a sealed one the header is told; with a \
            secret (--passphrase asks for one) the daemon opens and checks all of it too, and changes nothing.
            """)

    @Argument(help: "The file.", completion: .file())
    var file: String

    @OptionGroup var secret: BlobSecretOptions
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let output = global.makeOutput()
        if let header = try BlobFile.sealedHeader(of: file) {
            guard !secret.isGiven else {
                try await withSession(run)
                return
            }
            try output.show(SealedBlobFacts(header: header))
        } else {
            try output.show(try PlainBlobFacts(reading: file))
        }
    }

    func run(_ session: Session) async throws {
        let opener = try BlobOpener(file, secret)
        let options = BlobImportOptions(isDryRun: true)
        try session.output.show(try await BlobTransfer(session).upload(file, options, opener, label: "checking"))
    }
}
