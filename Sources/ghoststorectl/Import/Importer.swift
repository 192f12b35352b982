import StoreClient

/// Reads JSON Lines and writes them to the store, in memory that does not grow with the file.
struct Importer {
    let client: StoreClient
    let progress: ProgressBar

    /// - Returns: what was written.
    /// - Throws: `CommandFailure` that names the line; all lines before a malformed one are in the store by then.
    func run(_ reader: LineReader, totalBytes: UInt64?) async throws -> ImportSummary {
        defer { progress.finish() }
        let lines = ImportLines(reader)
        var lanes = ImportLanes(writer: BatchWriter(client: client))
        return try await withThrowingTaskGroup(of: ImportLanes.Sent.self) { group in
            while true {
                let next: Result<(record: ImportRecord, lineBytes: Int)?, CommandFailure>
                next = Result { () throws(CommandFailure) in try lines.next() }
                guard case .success(.some(let line)) = next else {
                    try await lanes.finish(in: &group)
                    _ = try next.get()
                    return lanes.summary
                }
                try await lanes.add(
                    line.record, lineNumber: reader.lineNumber, lineBytes: line.lineBytes, in: &group)
                progress.update(
                    done: reader.bytesRead, total: totalBytes, note: Quantity.count(reader.lineNumber, "line"))
            }
        }
    }
}
