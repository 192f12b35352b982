/// An archive that is being made, or a restore that runs. The session ends with its last piece or report, with its
/// first error, after 30 seconds without use, and when the store is locked. An archive also ends an hour after it
/// began, and when 48 MiB were written to the write-ahead log that it keeps from being emptied.
public struct ArchiveSession: Hashable, Sendable {
    let number: UInt64
}

/// An export or import that runs. The session ends with its last piece or report, with its first error, after 30
/// seconds without use, an hour after it began, and when the store is locked. An export also ends when 48 MiB were
/// written to the write-ahead log that it keeps from being emptied.
public struct BlobSession: Hashable, Sendable {
    let number: UInt64
}
