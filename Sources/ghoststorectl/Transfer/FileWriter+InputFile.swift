import StoreClient

extension FileWriter {
    /// Sends the part of a file that was already read, and then the rest, with one piece in memory at a time.
    ///
    /// - Parameter onPiece: Receives the number of bytes sent so far.
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
