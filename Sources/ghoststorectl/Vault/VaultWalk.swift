import StoreClient

/// Visits a tree of the vault: each directory before its contents, in the order of the bytes of the names.
struct VaultWalk {
    private let client: StoreClient

    init(_ client: StoreClient) {
        self.client = client
    }

    func visit(_ root: VaultPath, _ body: (VaultPath, VaultItem) async throws -> Void) async throws {
        for try await item in client.vaultItems(in: root) {
            let place = root.appending(item.name)
            try await body(place, item)
            if item.kind == .directory {
                try await visit(place, body)
            }
        }
    }
}
