import SQLCipher
import StoreBasics

extension StoreReader {
    /// - Throws: `.storeNotEmpty` if the store has anything that an archive can contain.
    func expectEmpty() throws(StoreError) {
        try read { (connection) throws(StoreError) in
            guard let row = try connection.first(Self.isEmpty), row.bool(0) else {
                throw StoreError(
                    .storeNotEmpty,
                    """
                    the store is not empty; merge the archive into this store, or restore the archive into an \
                    empty store
                    """)
            }
        }
    }

    private static let isEmpty = StatementText(
        """
        SELECT NOT (EXISTS (SELECT 1 FROM conversations) OR EXISTS (SELECT 1 FROM contacts)
            OR EXISTS (SELECT 1 FROM scene_values) OR EXISTS (SELECT 1 FROM logs)
            OR EXISTS (SELECT 1 FROM files WHERE parent = 0) OR EXISTS (SELECT 1 FROM attachment_contents))
        """)
}
