import SQLCipher
import StoreCrypto

/// Settles a rotation of the master key that was cut off: which of the two keys opens the database tells how far it
/// came.
struct RotationRecovery {
    let directory: StateDirectory
    let libraries: LibraryVersions

    func recover(_ unlocked: inout UnlockedKeyring) throws(StoreError) {
        guard unlocked.hasNext else { return }
        let probe = DatabaseProbe(directory: directory, libraries: libraries)
        let next = try mappedKeys(unlocked.databaseKey(.next))
        let current = try mappedKeys(unlocked.databaseKey(.current))
        if try probe.opens(next) {
            unlocked.finishRotation()
        } else if try probe.opens(current) {
            unlocked.cancelRotation()
            try StoreReplacement(directory).discardNext()
        } else {
            throw .databaseDamaged("it opens with neither key of an unfinished rotation", hint: "restore a backup")
        }
        let (keyring, path) = (unlocked.keyring, directory.path)
        try mappedKeys(KeyringFile.write(keyring, inDirectory: path))
    }
}
