import SQLCipher
import StoreBasics

/// The number and the bytes of everything below a directory, or their change. Each file counts with all its bytes, even
/// if it shares its content with copies.
package struct FileUsage: Hashable, Sendable {
    package var fileCount: Int64 = 0
    package var directoryCount: Int64 = 0
    package var byteCount: Int64 = 0

    package static let nothing = FileUsage()

    static func file(_ byteCount: UInt64) -> FileUsage {
        FileUsage(fileCount: 1, byteCount: Int64(clamping: byteCount))
    }

    /// Returns the change of the usage if the length of a file changes.
    static func bytes(from old: UInt64, to new: UInt64) -> FileUsage {
        FileUsage(byteCount: Int64(clamping: new) - Int64(clamping: old))
    }

    static prefix func - (usage: FileUsage) -> FileUsage {
        .nothing - usage
    }

    static func - (usage: FileUsage, other: FileUsage) -> FileUsage {
        FileUsage(
            fileCount: usage.fileCount - other.fileCount, directoryCount: usage.directoryCount - other.directoryCount,
            byteCount: usage.byteCount - other.byteCount)
    }
}

/// The usage of an area, with its limit.
package struct FileAreaUsage: Hashable, Sendable {
    package var area: FileArea
    package var usage: FileUsage
    /// The most bytes; 0 for no limit.
    package var byteCountMax: UInt64
}

/// The most bytes that files may have in each area that has a limit.
package struct FileQuotas: Hashable, Sendable {
    /// The most bytes; 0 for no limit.
    package var cacheBytesMax: UInt64
    package var temporaryBytesMax: UInt64

    package init(cacheBytesMax: UInt64 = 0, temporaryBytesMax: UInt64 = 0) {
        self.cacheBytesMax = cacheBytesMax
        self.temporaryBytesMax = temporaryBytesMax
    }

    package func bytesMax(of area: FileArea) -> UInt64 {
        switch area {
        case .cache: cacheBytesMax
        case .temporary: temporaryBytesMax
        case .document, .library, .notSyncedLibrary: 0
        }
    }

    /// Returns the usage of all areas, with their limits.
    func areas(_ usage: [FileArea: FileUsage]) -> [FileAreaUsage] {
        FileArea.allCases.map { area in
            FileAreaUsage(area: area, usage: usage[area] ?? .nothing, byteCountMax: bytesMax(of: area))
        }
    }

    /// Checks the limit of an area.
    ///
    /// - Parameter byteCount: The bytes by which the area grows. Changes that do not make it larger are always
    ///   accepted.
    /// - Throws: `.fileQuotaExceeded`.
    func expectRoom(for byteCount: Int64, in area: FileArea, _ connection: Connection) throws(StoreError) {
        let bytesMax = bytesMax(of: area)
        guard bytesMax > 0, byteCount > 0 else { return }
        let used = try FileUsageRows.read(area, connection).byteCount
        let room = max(0, Int64(clamping: bytesMax) - used)
        guard byteCount <= room else {
            throw StoreError(
                .fileQuotaExceeded,
                """
                the area \(area.rawValue) can have \(bytesMax) bytes, of which \(room) are free, but \(byteCount) are \
                needed; remove files from the area first
                """)
        }
    }
}

/// The counts in the rows of directories. Every change below a directory updates them in the same transaction.
enum FileUsageRows {
    /// Adds a change to the counts of a directory and of all directories above it.
    static func add(_ change: FileUsage, to directory: Int64, _ connection: Connection) throws(StoreError) {
        guard change != .nothing, directory != FileRow.top else { return }
        try connection.run(addToAll, directory, change.fileCount, change.directoryCount, change.byteCount)
    }

    /// Returns the usage of an area. It is zero for an area that was never used, which has no row.
    static func read(_ area: FileArea, _ connection: Connection) throws(StoreError) -> FileUsage {
        guard let row = try connection.first(selectRoot, area.rawValue) else { return .nothing }
        return FileUsage(fileCount: row.integer(0), directoryCount: row.integer(1), byteCount: row.integer(2))
    }

    /// Returns the usage of every area that has a row.
    static func all(_ connection: Connection) throws(StoreError) -> [FileArea: FileUsage] {
        let rows = try connection.rows(selectRoots)
        var usage: [FileArea: FileUsage] = [:]
        while try rows.next() {
            guard let area = FileArea(rawValue: (try rows.name(3) as FileName).text) else { continue }
            usage[area] = FileUsage(
                fileCount: rows.integer(0), directoryCount: rows.integer(1), byteCount: rows.integer(2))
        }
        return usage
    }

    /// Uses UNION, which leaves out duplicates. So the query also ends if a damaged store has a cycle of directories.
    private static let addToAll = StatementText(
        """
        UPDATE OR FAIL files SET file_count = file_count + ?2, directory_count = directory_count + ?3,
            byte_count = byte_count + ?4
        WHERE number IN (
            WITH RECURSIVE within (number) AS (
                SELECT ?1 UNION SELECT f.parent FROM within AS w CROSS JOIN files AS f ON f.number = w.number)
            SELECT number FROM within)
        """)
    private static let selectRoot = StatementText(
        """
        SELECT file_count, directory_count, byte_count FROM files WHERE parent = \(FileRow.top) AND name = ?1
        """)
    private static let selectRoots = StatementText(
        "SELECT file_count, directory_count, byte_count, name FROM files WHERE parent = \(FileRow.top)")
}

extension FileRow {
    /// The contribution of this file or directory to the counts of the directory that contains it.
    var usage: FileUsage {
        switch kind {
        case .directory:
            FileUsage(
                fileCount: below.fileCount, directoryCount: below.directoryCount + 1, byteCount: below.byteCount)
        case .file(_, let byteCount): .file(byteCount)
        }
    }
}

extension StoreReader {
    /// Returns the usage of every area, from the stored counts.
    package func fileUsage() throws(StoreError) -> [FileAreaUsage] {
        let quotas = source.parts.find(FileQuotas.self)
        return try readSnapshot { connection throws(StoreError) in quotas.areas(try FileUsageRows.all(connection)) }
    }

    /// Checks the limit of an area before more of a write is accepted.
    ///
    /// - Parameter byteCount: The length that the file will have.
    /// - Throws: `.fileQuotaExceeded`.
    func expectRoom(forFileOf byteCount: UInt64, at path: FilePath) throws(StoreError) {
        let quotas = source.parts.find(FileQuotas.self)
        try readSnapshot { connection throws(StoreError) in
            var present: UInt64 = 0
            if let row = try FileRow.find(path, connection), case .file(_, let bytes) = row.kind {
                present = bytes
            }
            let change = FileUsage.bytes(from: present, to: byteCount)
            try quotas.expectRoom(for: change.byteCount, in: path.area, connection)
        }
    }
}
