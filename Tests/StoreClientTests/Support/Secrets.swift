import StoreClient

/// Returns a passphrase for a test. The text itself need not be kept secret.
func secretInput(_ text: String, kind: KeySlotKind = .passphrase) throws(StoreClientError) -> SecretInput {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, text.utf8.count), alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: text.utf8)
    return try SecretInput(
        kind: kind, copyingAndWiping: UnsafeMutableRawBufferPointer(rebasing: memory[..<text.utf8.count]))
}
