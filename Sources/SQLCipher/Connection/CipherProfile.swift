/// How the pages of a database file are laid out and protected.
///
/// One format that SQLCipher 3.4.1 and 4.x both read and write: the version 3 page format (AES-256-CBC, a random IV
/// per page, HMAC-SHA1 over ciphertext, IV and page number). It is always set explicitly and never left to the
/// library's default. See https://www.zetetic.net/sqlcipher/sqlcipher-api/.
package struct CipherProfile: Hashable, Sendable {
    /// Bytes of a page: a power of two from 512 to 65,536.
    package let pageBytes: Int

    /// The profile of every ghoststore database; docs/decisions tells how the page size was chosen.
    package static let ghoststore = CipherProfile(pageBytes: 2_048)

    package init(pageBytes: Int) {
        precondition(
            (512...65_536).contains(pageBytes) && pageBytes & (pageBytes - 1) == 0, "page size is no power of two")
        self.pageBytes = pageBytes
    }

    /// Statements that must run right after the key, in this order: `cipher_compatibility` resets the page size.
    func keyingStatements(libraryMajorVersion: Int) -> [String] {
        var statements: [String] = []
        if libraryMajorVersion >= 4 {
            statements.append("PRAGMA cipher_compatibility = 3")
        }
        statements.append("PRAGMA cipher_page_size = \(pageBytes)")
        return statements
    }
}
