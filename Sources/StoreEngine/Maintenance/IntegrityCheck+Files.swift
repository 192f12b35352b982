import SQLCipher
import StoreCrypto

extension IntegrityCheck {
    /// Checks that every file and directory has a parent and is below a root, and that every content is complete and
    /// has the right count.
    mutating func checkFileRows() throws(StoreError) {
        guard let revision = try statistics()?.revision else { return }
        report.rowsChecked += try integer("SELECT count(*) FROM files")
        try addFinding(
            "files or directories have an invalid name, or an impossible revision of their creation or last change",
            """
            SELECT count(*) FROM files WHERE number NOT BETWEEN 1 AND \(revision)
                OR revision NOT BETWEEN number AND \(revision)
                OR length(CAST(name AS BLOB)) NOT BETWEEN 1 AND \(FileName.bytesMax)
                OR name IN ('.', '..') OR instr(name, '/') > 0 OR instr(CAST(name AS BLOB), x'00') > 0
                OR (parent = \(FileRow.top) AND name NOT IN (\(Self.areaNames)))
            """)
        try addFinding(
            "files or directories have no parent directory, and no pending removal will delete them",
            """
            SELECT count(*) FROM files AS f WHERE f.parent <> \(FileRow.top)
                AND NOT EXISTS (SELECT 1 FROM files WHERE number = f.parent AND content IS NULL)
                AND NOT EXISTS (SELECT 1 FROM removals WHERE kind = \(Leftovers.Kind.fileChildren.rawValue)
                    AND f.parent BETWEEN first_number AND last_number)
            """)
        try addFinding("directories have wrong counts of the files, directories or bytes in them", Self.wrongUsage)
        try addFinding("files or directories are inside themselves", Self.countInCircles)
        try addFinding(
            "files refer to content that does not exist",
            """
            SELECT count(*) FROM files AS f WHERE f.content IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM file_contents WHERE number = f.content)
            """)
        let staged = try hasGroupTables ? "UNION ALL SELECT content FROM replica_staged_contents" : ""
        try addFinding(
            "contents of files have a wrong length, or a wrong count of the files that use them",
            """
            SELECT count(*) FROM file_contents AS c LEFT JOIN
                (SELECT content, count(*) AS files FROM (SELECT content FROM files WHERE content IS NOT NULL
                    UNION ALL SELECT stored FROM attachment_contents WHERE stored IS NOT NULL
                    \(staged)) GROUP BY content) AS f
                ON f.content = c.number
            WHERE CASE WHEN c.id IS NULL THEN c.data IS NULL OR c.byte_count <> length(c.data) ELSE c.data IS NOT NULL
                OR length(c.id) <> \(ContentID.byteCount) OR length(c.key) <> \(ContentKey.keyBytes)
                OR ifnull(c.chunk_bytes, 0) < 1 OR c.cipher IS NULL OR c.generation IS NULL OR c.byte_count < 1
                OR ifnull(c.chunks_sealed, 0) < 1 END
                OR c.reference_count <> ifnull(f.files, 0) OR c.reference_count < 1
            """)
        try addFinding(
            "contents of files have chunks without a position in the vault file, or several chunks at one position",
            Self.wrongChunkMaps)
        try addFinding(
            "missing contents still have positions of chunks, and no pending removal will delete these positions",
            """
            SELECT count(*) FROM (SELECT content FROM content_chunks UNION SELECT content FROM content_freed_slots) AS p
            WHERE NOT EXISTS (SELECT 1 FROM file_contents WHERE number = p.content AND id IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM removals WHERE kind = \(Leftovers.Kind.contentChunks.rawValue)
                    AND p.content BETWEEN first_number AND last_number)
            """)
    }

    /// Counts contents whose chunks have gaps, or that use a slot twice.
    private static let wrongChunkMaps = """
        SELECT count(*) FROM file_contents AS c WHERE c.id IS NOT NULL AND c.chunk_bytes > 0 AND (
            (SELECT ifnull(sum(chunk_count), 0) FROM content_chunks WHERE content = c.number)
                <> (c.byte_count + c.chunk_bytes - 1) / c.chunk_bytes
            OR EXISTS (SELECT 1 FROM content_chunks AS r WHERE r.content = c.number AND (r.chunk_count < 1
                OR r.first_slot NOT BETWEEN 0 AND \(ChunkRun.endMax)
                OR (r.first_chunk <> 0 AND NOT EXISTS (SELECT 1 FROM content_chunks AS p
                    WHERE p.content = r.content AND p.first_chunk + p.chunk_count = r.first_chunk))
                OR EXISTS (SELECT 1 FROM content_chunks AS o WHERE o.content = r.content
                    AND o.first_chunk <> r.first_chunk AND o.first_slot < r.first_slot + r.chunk_count
                    AND r.first_slot < o.first_slot + o.chunk_count)
                OR EXISTS (SELECT 1 FROM content_freed_slots AS f WHERE f.content = r.content
                    AND f.first_slot < r.first_slot + r.chunk_count
                    AND r.first_slot < f.first_slot + f.slot_count))))
        """
    /// Counts directories whose counts are not the sums of their direct children, and files whose counts are not 0. If
    /// there are none, the counts of all levels are right.
    private static let wrongUsage = """
        SELECT count(*) FROM files AS d LEFT JOIN (
            SELECT f.parent AS number, sum(CASE WHEN f.content IS NULL THEN f.file_count ELSE 1 END) AS files,
                sum(CASE WHEN f.content IS NULL THEN f.directory_count + 1 ELSE 0 END) AS directories,
                sum(CASE WHEN f.content IS NULL THEN f.byte_count ELSE ifnull(c.byte_count, 0) END) AS bytes
            FROM files AS f LEFT JOIN file_contents AS c ON c.number = f.content GROUP BY f.parent) AS u
            ON u.number = d.number
        WHERE CASE WHEN d.content IS NULL THEN d.file_count <> ifnull(u.files, 0)
                OR d.directory_count <> ifnull(u.directories, 0) OR d.byte_count <> ifnull(u.bytes, 0)
            ELSE d.file_count <> 0 OR d.directory_count <> 0 OR d.byte_count <> 0 END
        """
    private static let areaNames = FileArea.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    /// Counts the files and directories that are in a cycle: they cannot be reached from the roots or from rows without
    /// a parent.
    private static let countInCircles = """
        WITH RECURSIVE reached (number) AS (
            SELECT number FROM files AS f WHERE NOT EXISTS (SELECT 1 FROM files WHERE number = f.parent)
            UNION ALL SELECT f.number FROM reached AS r CROSS JOIN files AS f ON f.parent = r.number)
        SELECT (SELECT count(*) FROM files) - (SELECT count(*) FROM reached)
        """
}
