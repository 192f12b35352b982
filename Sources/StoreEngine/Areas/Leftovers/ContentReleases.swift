import SQLCipher
import StoreBasics
import StoreCrypto

/// The contents that the transaction releases, because no file and no attachment has them any more.
final class ContentReleases: TransactionWork {
    let transaction: Transaction
    private let leftovers: Leftovers
    /// Released contents with a file in the vault.
    var releasedContents: [ContentID] = []
    /// True after the store was cleared, which releases all contents. `releasedContents` does not list them.
    var hasReleasedAllContents = false

    init(_ transaction: Transaction, _ leftovers: Leftovers) {
        self.transaction = transaction
        self.leftovers = leftovers
    }

    /// Removes one reference to a content. With the last reference, the content's row is deleted at once, and
    /// background maintenance removes its chunks.
    func release(_ content: Int64) throws(StoreError) {
        if let id = try FileContents.release(content, connection) {
            try leftovers.leaveBehind(.contentChunks, content...content)
            releasedContents.append(id)
        }
        removedContent = true
    }
}
