/// A running archive or restore. The session ends with the last piece of the archive or the report of the restore, with
/// the first error, after 30 seconds without use, and when the store is locked. An archive also ends an hour after it
/// began, and when 48 MiB were written to the write-ahead log, which cannot be emptied during the archive.
public struct ArchiveSession: Hashable, Sendable {
    let number: UInt64
}

/// A running export or import. The session ends with the last piece of the export or the report of the import, with the
/// first error, after 30 seconds without use, an hour after it began, and when the store is locked. An export also ends
/// when 48 MiB were written to the write-ahead log, which cannot be emptied during the export.
public struct BlobSession: Hashable, Sendable {
    let number: UInt64
}
