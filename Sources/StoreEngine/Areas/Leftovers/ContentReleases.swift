import SQLCipher
import StoreBasics
import StoreCrypto

/// Contents that the transaction releases: no file and no attachment has them any more.
final class ContentReleases: TransactionWork {
    let transaction: Transaction
    private let leftovers: Leftovers
    /// Released contents with a file in the vault.
    var releasedContents: [ContentID] = []
    /// True if all contents of the store were released.
    var hasReleasedAllContents = false

    init(_ transaction: Transaction, _ leftovers: Leftovers) {
        self.transaction = transaction
        self.leftovers = leftovers
    }

    /// Releases a content: its row is deleted, and its chunks are removed later.
    func release(_ content: Int64) throws(StoreError) {
        if let id = try FileContents.release(content, connection) {
            try leftovers.leaveBehind(.contentChunks, content...content)
            releasedContents.append(id)
        }
        removedContent = true
    }
}
