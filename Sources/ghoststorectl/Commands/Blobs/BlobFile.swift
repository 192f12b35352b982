import Interchange

/// Looks at message files on disk.
enum BlobFile {
    /// - Returns: nil for a file that is not sealed.
    /// - Throws: `.damaged` for a sealed file of which no header can be read.
    static func sealedHeader(of path: String) throws(CommandFailure) -> SealedFileHeader? {
        let prefix = try InputFile(path).readChunk(bytes: SealedFileHeader.bytesMax)
        guard SealedFileHeader.isSealed(prefix) else {
            return nil
        }
        do throws(InterchangeError) {
            return try SealedFileHeader(parsing: prefix)
        } catch {
            throw CommandFailure(.damaged, "\(path): \(error)")
        }
    }
}
