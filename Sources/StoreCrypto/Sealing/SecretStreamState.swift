import CSodium

/// libsodium's state of one secretstream. It is in guarded memory, because it contains the stream's key.
///
/// https://doc.libsodium.org/secret-key_cryptography/secretstream
struct SecretStreamState: ~Copyable {
    enum Tag: UInt8 {
        case message = 0
        case final = 3
    }

    private typealias State = crypto_secretstream_xchacha20poly1305_state

    private var memory: SecretBytes

    /// Begins a stream for writing, and writes into `header` what a reader needs to begin.
    init(writingUnder key: borrowing SecretBytes, header: inout [UInt8]) throws(CryptoError) {
        memory = try SecretBytes(count: MemoryLayout<State>.size)
        let status = withState { state in
            key.withBytes { crypto_secretstream_xchacha20poly1305_init_push(state, &header, $0) }
        }
        precondition(status == 0, "secretstream failed to begin")
    }

    /// Begins a stream for reading with the header that the writer's initializer returned.
    init(readingUnder key: borrowing SecretBytes, header: [UInt8]) throws(CryptoError) {
        memory = try SecretBytes(count: MemoryLayout<State>.size)
        let status = withState { state in
            key.withBytes { crypto_secretstream_xchacha20poly1305_init_pull(state, header, $0) }
        }
        precondition(status == 0, "secretstream refused a header")
    }

    /// Appends the sealed form of one chunk to `output`.
    mutating func push(_ chunk: ArraySlice<UInt8>, tag: Tag, to output: inout [UInt8]) {
        var sealed = [UInt8](repeating: 0, count: chunk.count + SealedFileLimits.chunkOverheadBytes)
        let status = withState { state in
            chunk.withUnsafeBufferPointer { chunk in
                crypto_secretstream_xchacha20poly1305_push(
                    state, &sealed, nil, chunk.baseAddress, UInt64(chunk.count), nil, 0, tag.rawValue)
            }
        }
        precondition(status == 0, "secretstream refused a chunk")
        output += sealed
    }

    /// Appends the content of one sealed chunk to `output`. Returns `nil` if it is not the stream's next chunk.
    mutating func pull(_ sealed: ArraySlice<UInt8>, to output: inout [UInt8]) -> Tag? {
        guard sealed.count >= SealedFileLimits.chunkOverheadBytes else { return nil }
        var chunk = [UInt8](repeating: 0, count: sealed.count - SealedFileLimits.chunkOverheadBytes)
        var tag: UInt8 = 0
        let status = withState { state in
            sealed.withUnsafeBufferPointer { sealed in
                crypto_secretstream_xchacha20poly1305_pull(
                    state, &chunk, nil, &tag, sealed.baseAddress, UInt64(sealed.count), nil, 0)
            }
        }
        guard status == 0, let tag = Tag(rawValue: tag) else { return nil }
        output += chunk
        return tag
    }

    private mutating func withState<R>(_ body: (UnsafeMutablePointer<State>) -> R) -> R {
        memory.withMutableBytes { bytes in
            // sodium_malloc places the memory at the end of a page, so that memory of an odd size is not aligned. The
            // state consists only of bytes (crypto_secretstream_xchacha20poly1305.h) and needs no alignment.
            UnsafeMutableRawPointer(bytes).withMemoryRebound(to: State.self, capacity: 1) { body($0) }
        }
    }
}
