import FoundationEssentials
import StoreClient

/// A file in chunks; see ``FileVault/FileVault/readFileInChunks(atURL:withEncoding:andChunkSize:)``.
public struct FileValueChunks: AsyncSequence, Sendable {
    /// A chunk of the file: bytes or text, depending on the encoding with which the file is read.
    public typealias Element = FileEncodingValue
    /// The error that `next()` throws if the file cannot be read to its end.
    public typealias Failure = FileVaultError

    let client: StoreClient
    let path: VaultPath
    let encoding: FileEncoding
    let chunkBytes: Int
    let offset: UInt64
    let byteCount: Int?

    /// Starts to read the file from the beginning.
    public func makeAsyncIterator() -> Iterator {
        Iterator(file: self)
    }

    /// An iterator that reads one chunk after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let file: FileValueChunks
        private var chunks: FileChunks.Iterator?
        private var text: TextChunks?
        private var isOver = false

        fileprivate init(file: FileValueChunks) {
            self.file = file
        }

        /// Returns the next chunk, which is never empty; `nil` after the last chunk and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FileVaultError) -> FileEncodingValue? {
            while !isOver {
                do throws(FileVaultError) {
                    if let value = try await nextValue() {
                        return value
                    }
                } catch {
                    isOver = true
                    throw error
                }
            }
            return nil
        }

        /// Reads the next bytes of the file, and returns the chunk that they complete. Returns `nil` at the end of the
        /// file, and for a text also if no character is complete yet; `isOver` distinguishes these two cases.
        private mutating func nextValue(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FileVaultError) -> FileEncodingValue? {
            let bytes: [UInt8]?
            do throws(StoreClientError) {
                var chunks = try await opened()
                bytes = try await chunks.next()
                isOver = bytes == nil || chunks.isOver
                self.chunks = chunks
            } catch {
                throw FileVaultError(readingInChunks: error)
            }
            guard text != nil else { return bytes.map { .byteBuffer(value: Data($0)) } }
            return try text?.next(bytes ?? [], isLast: isOver)
        }

        /// Returns the iterator over the chunks of bytes. If the byte order of UTF-16 depends on the beginning of the
        /// file, reads that beginning first.
        private mutating func opened(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreClientError) -> FileChunks.Iterator {
            if let chunks {
                return chunks
            }
            let markBytes = file.offset > 0 ? file.encoding.markBytes : 0
            let start = markBytes > 0 ? try await file.client.filePiece(at: file.path, byteCount: markBytes) : nil
            if case .string(let encoding) = file.encoding {
                let decoder = TextDecoder(encoding, at: file.offset, ofFileBeginning: start?.bytes ?? [])
                text = TextChunks(encoding, decoder, chunkBytes: file.chunkBytes)
            }
            return file.client.fileChunks(
                at: file.path, from: file.offset, byteCount: file.byteCount, ofBytes: file.chunkBytes,
                expecting: start?.file.revision
            ).makeAsyncIterator()
        }
    }
}

/// Combines the bytes of chunks, which may end anywhere, into texts that end between characters.
struct TextChunks {
    /// The size in bytes up to which a character is never split, even if the chunks are smaller. There must be a limit,
    /// because a character may have any number of combining marks.
    private static let characterBytesMin = 1_024

    private let encoding: FileStringEncoding
    private let characterBytesMax: Int
    private var decoder: TextDecoder
    /// The last character so far, which is not returned yet because the following text may continue it.
    private var held = ""

    init(_ encoding: FileStringEncoding, _ decoder: TextDecoder, chunkBytes: Int) {
        self.encoding = encoding
        self.decoder = decoder
        characterBytesMax = max(chunkBytes, Self.characterBytesMin)
    }

    /// Decodes the next chunk.
    ///
    /// - Parameters:
    ///   - bytes: the next bytes of the file.
    ///   - isLast: true if no bytes follow.
    /// - Returns: `nil` if no character is complete yet.
    /// - Throws: `.cantEncodeData`.
    mutating func next(_ bytes: [UInt8], isLast: Bool) throws(FileVaultError) -> FileEncodingValue? {
        guard let decoded = decoder.decode(bytes), !isLast || decoder.isComplete else {
            throw .cantEncodeData(usingEncoding: encoding)
        }
        var text = held + decoded
        held = ""
        if !isLast {
            // A single character that grows beyond the limit is returned in parts.
            if let last = text.last, text.utf8.count <= characterBytesMax || last.utf8.count < text.utf8.count {
                text.removeLast()
                held = String(last)
            }
        }
        return text.isEmpty ? nil : .string(encoding: encoding, value: text)
    }
}
