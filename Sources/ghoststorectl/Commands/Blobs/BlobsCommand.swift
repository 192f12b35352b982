import ArgumentParser

struct BlobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blobs", abstract: "Conversations as binary message files, plain or sealed.",
        discussion: """
            A recipient's key pair is an X25519 one: `openssl genpkey -algorithm X25519 -out pair.pem` makes it, \
            `openssl pkey -in pair.pem -pubout -out public.pem` its public half for --recipient, and \
            `openssl pkey -in pair.pem -outform DER | tail -c 32 > secret.key` its secret half for --key-file.
            """,
        subcommands: [BlobsExportCommand.self, BlobsImportCommand.self, BlobsInspectCommand.self])
}
