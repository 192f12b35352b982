import SQLCipher
import StoreBasics

/// How much lies below a directory, or what a change makes of that. A file counts with all its bytes wherever it lies,
/// also where it shares its content with copies.
package struct FileUsage: Hashable, Sendable {
    package var fileCount: Int64 = 0
    package var directoryCount: Int64 = 0
    package var byteCount: Int64 = 0

    package static let nothing = FileUsage()

    /// One file of so many bytes.
    static func file(_ byteCount: UInt64) -> FileUsage {
        FileUsage(fileCount: 1, byteCount: Int64(clamping: byteCount))
    }

    /// A file has other bytes.
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

/// What an area holds.
package struct FileAreaUsage: Hashable, Sendable {
    package var area: FileArea
    package var usage: FileUsage
    /// The most bytes; 0: no bound.
    package var byteCountMax: UInt64
}

/// What areas may hold.
package struct FileQuotas: Hashable, Sendable {
    /// Bytes; 0: no bound.
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

    /// All areas, with what they may hold.
    func areas(_ usage: [FileArea: FileUsage]) -> [FileAreaUsage] {
        FileArea.allCases.map { area in
            FileAreaUsage(area: area, usage: usage[area] ?? .nothing, byteCountMax: bytesMax(of: area))
        }
    }

    /// - Parameter byteCount: by which the area is to grow; what makes it no larger is always welcome.
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

/// The counts on the rows of directories. They are changed with whatever lies below, in the same transaction.
enum FileUsageRows {
    /// Counts a change for a directory and all it lies in.
    static func add(_ change: FileUsage, to directory: Int64, _ connection: Connection) throws(StoreError) {
        guard change != .nothing, directory != FileRow.top else { return }
        try connection.run(addToAll, directory, change.fileCount, change.directoryCount, change.byteCount)
    }

    /// An area into which nothing was put has no row.
    static func read(_ area: FileArea, _ connection: Connection) throws(StoreError) -> FileUsage {
        guard let row = try connection.first(selectRoot, area.rawValue) else { return .nothing }
        return FileUsage(fileCount: row.integer(0), directoryCount: row.integer(1), byteCount: row.integer(2))
    }

    /// Of every area into which anything was ever put.
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

    /// UNION, which passes over what was met before, ends also where a damaged store has directories in a circle.
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
    /// What it is for the directory that it lies in.
    var usage: FileUsage {
        switch kind {
        case .directory:
            FileUsage(
                fileCount: below.fileCount, directoryCount: below.directoryCount + 1, byteCount: below.byteCount)
        case .file(_, let byteCount): .file(byteCount)
        }
    }
}

extension StoreEngine {
    /// Of every area as of the last commit, from memory; empty while no store is open.
    package var fileUsage: [FileAreaUsage] {
        guard let usage = status.fileUsage else { return [] }
        return configuration.fileQuotas.areas(usage)
    }
}

extension StoreReader {
    /// Of every area, from the counts that the store keeps.
    package func fileUsage() throws(StoreError) -> [FileAreaUsage] {
        let quotas = source.fileQuotas
        return try readSnapshot { connection throws(StoreError) in quotas.areas(try FileUsageRows.all(connection)) }
    }

    /// Before more of a write is taken.
    ///
    /// - Parameter byteCount: of the file as it will be.
    /// - Throws: `.fileQuotaExceeded`.
    func expectRoom(forFileOf byteCount: UInt64, at path: FilePath) throws(StoreError) {
        let quotas = source.fileQuotas
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
