import Glibc

/// Lends texts in the form that C functions expect for arguments and environments: pointers followed by a null pointer
/// (posix_spawn(3)). The pointers are valid until `body` returns.
package func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
) rethrows -> Result {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return try body(pointers + [nil])
}
