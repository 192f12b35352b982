import SQLCipher
import StoreCrypto

/// The moment of a rotation, on the writer thread with no reader open: the copy under the next key takes the place of
/// the database.
struct MasterKeySwitch {
    let directory: StateDirectory
    let keys: KeyHolder
    let libraries: LibraryVersions

    func run(_ copy: DatabaseCopy, _ context: WriterContext) throws(StoreError) {
        try copy.finish()
        try directory.sync(file: directory.nextDatabase)
        let statistics = context.statistics
        let connection = try context.openConnection()
        try mapped { () throws(SQLCipherError) in _ = try connection.checkpoint(.truncate) }
        context.close()
        try StoreReplacement(directory).swap()
        try adoptNextKey()
        try reopen(context, statistics)
    }

    private func adoptNextKey() throws(StoreError) {
        let path = directory.path
        let key = try keys.withKeyring { keyring throws(StoreError) in
            keyring.finishRotation()
            let settled = keyring.keyring
            try mappedKeys { () throws(CryptoError) in try KeyringFile.write(settled, inDirectory: path) }
            return SecretBox(
                try keyring.withMasterKey(.current) { master throws(StoreError) in
                    try mappedKeys { () throws(CryptoError) in try master.databaseKey() }
                })
        }
        if let key = key.take() {
            keys.setDatabaseKey(key)
        }
    }

    private func reopen(_ context: WriterContext, _ statistics: Statistics) throws(StoreError) {
        let (path, libraries) = (directory.database, libraries)
        let connection = try keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            return try mapped { () throws(SQLCipherError) in
                try Connection(path: path, key: key, mode: .readWrite, profile: .ghoststore, versions: libraries)
            }
        }
        try mapped { () throws(SQLCipherError) in
            try connection.setCacheKibibytes(EngineLimits.writerCacheKibibytes)
        }
        context.connection = connection
        context.statistics = statistics
    }
}
