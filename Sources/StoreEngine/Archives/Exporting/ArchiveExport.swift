import Interchange
import SQLCipher
import StoreBasics
import StoreCrypto

/// How an archive is to be made.
package struct ArchiveRequest: Sendable {
    package var coding: any ArchiveCoding
    package var sealing: FileSeal
    /// 0: everything. Else what was made, changed or removed after this revision.
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

/// One archive that is being made: a read snapshot on a connection of its own, from which pieces of the file are made
/// as they are asked for. Used by one thread only.
final class ArchiveExport {
    let header: ArchiveHeader
    private let reader: StoreReader
    /// Lets what commits let go of be erased again.
    private let release: () -> Void
    private var rows: any ArchiveWalk
    private var writer: ArchiveStreamWriter?
    private var output: SealedOutput

    /// - Parameters:
    ///   - reader: closed at the end.
    ///   - release: called at the end, also after a failure.
    /// - Throws: `.changesCompacted` and `.revisionAhead` for a revision since which nothing can be told,
    ///   `.databaseDamaged` where that is so because a damaged store cannot read as far.
    init(
        _ request: ArchiveRequest, reader: StoreReader, allowsLowCost: Bool, now: Timestamp,
        release: @escaping () -> Void
    ) throws(StoreError) {
        self.reader = reader
        self.release = release
        do throws(StoreError) {
            // What takes its time first: the snapshot begins behind it.
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
        // Lets go of the snapshot.
        reader.close()
        release()
    }

    /// The next piece of the file; without bytes where its time is over before something is found.
    ///
    /// - Throws: `.invalidArgument` when `offset` is not where the last piece ended, `.blobSessionNotFound` when the
    ///   snapshot is gone, `.fileDamaged`.
    func piece(at offset: UInt64) throws(StoreError) -> BlobPiece {
        try output.expectPiece(at: offset)
        let slice = WorkSlice.ofPiece
        while output.wantsMore, !slice.isOver {
            try makeMore()
        }
        return output.takePiece()
    }

    private func makeMore() throws(StoreError) {
        guard var writer = writer.take() else {
            preconditionFailure("an archive must have a writer until it is complete")
        }
        var content: [UInt8] = []
        try reader.readHeld { (connection, contents) throws(StoreError) in
            // A lock or a rotation of the master key closes every reader's connection, and the transaction with it.
            guard !connection.isInAutocommit else {
                throw StoreError(
                    .blobSessionNotFound,
                    """
                    the store was locked, or its master key was rotated, during the archive; begin another archive
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
