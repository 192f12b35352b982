import FoundationEssentials
import StoreClient

/// A file in chunks; see ``FileVault/FileVault/readFileInChunks(atURL:withEncoding:andChunkSize:)``.
public struct FileValueChunks: AsyncSequence, Sendable {
    /// What a chunk is.
    public typealias Element = FileEncodingValue
    /// What it ends with when it does not end by itself.
    public typealias Failure = FileVaultError

    let chunks: FileChunks
    let encoding: FileEncoding
    let chunkBytes: Int

    /// Reads the file anew.
    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeAsyncIterator(), encoding: encoding, chunkBytes: chunkBytes)
    }

    /// Reads one chunk after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: FileChunks.Iterator
        private var text: TextChunks?
        private var isOver = false

        fileprivate init(chunks: FileChunks.Iterator, encoding: FileEncoding, chunkBytes: Int) {
            self.chunks = chunks
            if case .string(let encoding) = encoding {
                text = TextChunks(encoding, chunkBytes: chunkBytes)
            }
        }

        /// The next chunk, never an empty one; `nil` behind the last, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FileVaultError) -> FileEncodingValue? {
            while !isOver {
                do throws(FileVaultError) {
                    let bytes = try await nextBytes()
                    isOver = bytes == nil
                    if let value = try value(of: bytes) {
                        return value
                    }
                } catch {
                    isOver = true
                    throw error
                }
            }
            return nil
        }

        private mutating func nextBytes(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(FileVaultError) -> [UInt8]? {
            do throws(StoreClientError) {
                return try await chunks.next()
            } catch {
                throw FileVaultError(readingInChunks: error)
            }
        }

        /// - Parameter bytes: `nil` at the end.
        /// - Returns: `nil` where nothing is whole yet.
        private mutating func value(of bytes: [UInt8]?) throws(FileVaultError) -> FileEncodingValue? {
            guard text != nil else { return bytes.map { .byteBuffer(value: Data($0)) } }
            return try text?.next(bytes)
        }
    }
}

/// Cuts text between characters, where the chunks of bytes are cut anywhere.
struct TextChunks {
    /// Bytes up to which a character is whole whatever the chunks' size. One may have any number of marks.
    private static let characterBytesMin = 1_024

    private let encoding: FileStringEncoding
    private let characterBytesMax: Int
    private var decoder: TextDecoder
    /// The last character so far, which what follows may go on with.
    private var held = ""

    init(_ encoding: FileStringEncoding, chunkBytes: Int) {
        self.encoding = encoding
        characterBytesMax = max(chunkBytes, Self.characterBytesMin)
        decoder = TextDecoder(encoding)
    }

    /// - Parameter bytes: `nil` at the end.
    /// - Returns: `nil` where there is no whole character yet.
    /// - Throws: `.cantEncodeData`.
    mutating func next(_ bytes: [UInt8]?) throws(FileVaultError) -> FileEncodingValue? {
        var text = held
        held = ""
        if let bytes {
            guard let decoded = decoder.decode(bytes) else { throw .cantEncodeData(usingEncoding: encoding) }
            text += decoded
            // A single one that grows without end is given out in parts.
            if let last = text.last, text.utf8.count <= characterBytesMax || last.utf8.count < text.utf8.count {
                text.removeLast()
                held = String(last)
            }
        } else if !decoder.isComplete {
            throw .cantEncodeData(usingEncoding: encoding)
        }
        return text.isEmpty ? nil : .string(encoding: encoding, value: text)
    }
}
