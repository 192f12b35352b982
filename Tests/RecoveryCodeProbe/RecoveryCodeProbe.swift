import Glibc
import StoreClient

/// An application that shows two recovery codes, releases them and continues to run, so that a test can search its
/// memory.
///
/// Arguments: the daemon's socket; a folder with a file `passphrase`, to which the program adds the files `code-1`,
/// `code-2` and, at the end, `ready`; bytes in hexadecimal that stay in memory, so that the test can prove that its
/// search works.
@main
struct RecoveryCodeProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        precondition(arguments.count == 4, "a socket, a folder and bytes in hexadecimal are given")
        let folder = arguments[2]
        let planted = bytes(hexadecimal: arguments[3])
        let client = try await StoreClient.connect(to: arguments[1])
        try await showCodes(client, folder)
        close(try create("\(folder)/ready"))
        // An application that is still running would keep its client connected.
        while !Task.isCancelled {
            try await Task.sleep(for: .seconds(60))
        }
        await client.close()
        withExtendedLifetime(planted) {}
    }

    private static func showCodes(_ client: StoreClient, _ folder: String) async throws {
        let first = try await client.initializeStore(
            secret: passphrase(folder), withRecoveryCode: true, lowCost: true)
        try show(first, "\(folder)/code-1")
        var added = try await client.addKeySlot(
            authorizedBy: passphrase(folder), new: .generatedRecoveryCode, lowCost: true)
        try show(added.takeRecoveryCode(), "\(folder)/code-2")
    }

    private static func passphrase(_ folder: String) throws -> SecretInput {
        try SecretInput(kind: .passphrase, file: "\(folder)/passphrase")
    }

    private static func show(_ code: consuming RecoveryCodeOutput?, _ path: String) throws {
        guard let code else { return }
        let descriptor = try create(path)
        try code.write(to: descriptor)
        close(descriptor)
    }

    private static func create(_ path: String) throws -> CInt {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ProbeError(what: "could not make \(path)") }
        return descriptor
    }

    private static func bytes(hexadecimal text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}

private struct ProbeError: Error {
    let what: String
}
