/// What a subkey of the master key is for. The numbers are part of the format: never reused, never renumbered.
package enum KeyPurpose: UInt64, Sendable, CaseIterable {
    /// SQLCipher's raw key.
    case database = 1
    /// SQLCipher's salt (the first 16 bytes of the database file).
    case databaseSalt = 2
    /// The sealed files of the vault.
    case vault = 3
    /// What a backup adds to the database.
    case backup = 4
    /// What goes to another device.
    case sync = 5
    /// Recognises the master key without revealing it.
    case keyCheck = 6
}
