import Interchange
import SQLCipher
import StoreBasics
import StoreCrypto

package struct ArchiveRequest: Sendable {
    package var coding: any ArchiveCoding
    package var sealing: FileSeal
    /// The revision after which an archive of changes begins; 0 for an archive with everything.
    package var sinceRevision: UInt64

    package init(coding: any ArchiveCoding, sealing: FileSeal, sinceRevision: UInt64 = 0) {
        self.coding = coding
        self.sealing = sealing
        self.sinceRevision = sinceRevision
    }
}

package struct ArchiveStart: Hashable, Sendable {
    package var session: BlobSessionID
    package var header: ArchiveHeader
}

/// One archive that is being created: a read snapshot on a connection of its own, from which parts of the file are made
/// when they are requested. Used by one thread only.
final class ArchiveExport {
    let header: ArchiveHeader
    private let reader: StoreReader
    /// Ends the protection of released contents, whose files must not be erased while the archive is created.
    private let release: () -> Void
    private var rows: any ArchiveWalk
    private var writer: ArchiveStreamWriter?
    private var output: SealedOutput

    /// - Parameters:
    ///   - reader: Closed when the export ends.
    ///   - release: Called when the export ends, also after a failure.
    /// - Throws: `.revisionAhead` if the store has not reached `sinceRevision`, or `.databaseDamaged` if damage is the
    ///   reason for this; `.changesCompacted` if changes after `sinceRevision` were removed from the change log.
    init(
        _ request: ArchiveRequest, reader: StoreReader, allowsLowCost: Bool, now: Timestamp,
        release: @escaping () -> Void
    ) throws(StoreError) {
        self.reader = reader
        self.release = release
        do throws(StoreError) {
            // The key derivation takes time, so it is done before the snapshot begins.
            output = try SealedOutput(request.sealing, .archive, allowsLowCost: allowsLowCost)
            let statistics = try reader.read { (connection) throws(StoreError) in
                try connection.run(Self.begin)
                return try StatisticsRow.read(connection)
            }
            try reader.requireReached(request.sinceRevision, statistics)
            header = ArchiveHeader(
                history: statistics.history, revision: statistics.revision, createdAt: now,
                sinceRevision: request.sinceRevision)
            rows =
                header.isOfChanges
                ? try ArchiveChangedRows(since: request.sinceRevision, statistics, reader.clock)
                : ArchiveRows(reader.clock)
        } catch {
            reader.close()
            release()
            throw error
        }
        var start: [UInt8] = []
        writer = ArchiveStreamWriter(header, request.coding, to: &start)
        output.append(start)
    }

    deinit {
        // Ends the snapshot.
        reader.close()
        release()
    }

    /// Returns the next part of the file. The part may be empty if the time for making one part is over before a record
    /// was found.
    ///
    /// - Throws: `.invalidArgument` if `offset` is not the end of the previous part, `.blobSessionNotFound` if the
    ///   snapshot was closed, `.fileDamaged`.
    func nextPiece(at offset: UInt64) throws(StoreError) -> BlobPiece {
        try output.expectPiece(at: offset)
        let slice = WorkSlice.ofPiece
        while output.wantsMore, !slice.isOver {
            try makeMore()
        }
        return output.removeNextPiece()
    }

    private func makeMore() throws(StoreError) {
        guard var writer = writer.take() else {
            preconditionFailure("an archive must have a writer until it is complete")
        }
        var content: [UInt8] = []
        try reader.readHeld { (connection, contents) throws(StoreError) in
            // Locking the store or rotating its master key closes every reader's connection, which ends the transaction
            // of the snapshot.
            guard !connection.isInAutocommit else {
                throw StoreError(
                    .blobSessionNotFound,
                    """
                    the store was locked, or its master key was rotated, while the archive was made; begin \
                    another archive
                    """)
            }
            try rows.readPage(connection, contents) { entry in writer.append(entry, to: &content) }
        }
        if rows.isAtEnd {
            writer.finish(to: &content)
            output.append(content)
            output.finish()
        } else {
            self.writer = consume writer
            output.append(content)
        }
    }

    private static let begin = StatementText("BEGIN")
}
