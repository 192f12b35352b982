import GhostTestSupport
import StoreClient

/// Saves texts of a megabyte each, so that an operation on the store takes long enough to be interrupted.
func saveLargeTexts(_ count: Int, of session: String, _ daemon: TestDaemon) async throws {
    let client = try await daemon.connect()
    let text = String(repeating: "x", count: 1_000_000)
    for _ in 0..<count {
        try await client.saveMessages([NewMessage(conversation: .sessionID(session), text: text)])
    }
    await client.close()
}
