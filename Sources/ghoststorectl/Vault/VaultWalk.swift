import StoreClient

/// Goes through a tree of the vault, each directory before what it holds, by the bytes of names.
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
