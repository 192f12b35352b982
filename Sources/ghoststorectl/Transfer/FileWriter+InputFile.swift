import StoreClient

extension FileWriter {
    /// Sends what has been read of a file and all that follows it, a piece in memory at a time.
    ///
    /// - Parameter onPiece: gets the bytes sent so far.
    mutating func write(
        _ first: [UInt8], restOf file: borrowing InputFile, onPiece: (UInt64) -> Void = { _ in }
    ) async throws {
        var piece = first
        while !piece.isEmpty {
            try await write(piece)
            onPiece(offset)
            piece = try file.readChunk(bytes: StoreClient.filePieceBytes)
        }
    }
}
