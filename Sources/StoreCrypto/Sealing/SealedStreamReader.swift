package import Interchange

/// Opens a sealed stream in pieces of any size. Content is returned only after its chunk was authenticated. The stream
/// is known to be complete only when `finish` returns.
///
/// The message of every error contains the offset in the file at which the invalid chunk begins. After an error the
/// reader returns nothing more.
package struct SealedStreamReader: ~Copyable, Sendable {
    private enum Phase {
        case header
        case chunks
        case ended
    }

    private let format: SealedFileFormat
    private var phase = Phase.header
    private var failure: CryptoError?
    /// The secret, until the header has been opened with it.
    private var secret: SlotSecret?
    /// The stream's state, while chunks are expected.
    private var stream: SecretStreamState?
    private var buffer: [UInt8] = []
    /// The offset in the file at which `buffer` starts.
    private var offset: UInt64 = 0

    /// - Parameter secret: the passphrase, or a key file of 32 bytes with the secret half of the recipient's pair.
    package init(secret: consuming SlotSecret, _ format: SealedFileFormat = .messages) {
        self.format = format
        self.secret = consume secret
    }

    /// True if the header has not been opened yet and needs a passphrase. Opening the header then costs a key
    /// derivation.
    package var waitsForPassphrase: Bool {
        switch secret {
        case .some(let secret): secret.kind == .passphrase
        case .none: false
        }
    }

    /// Reads a piece of the file and appends the content of chunks that are complete. The piece that completes the
    /// header costs a key derivation if the file is sealed with a passphrase.
    ///
    /// - Throws: `.sealedFileNotForSecret`, `.sealedFileDamaged`, `.memoryUnavailable`.
    package mutating func feed(_ piece: some Collection<UInt8>, to content: inout [UInt8]) throws(CryptoError) {
        if let failure {
            throw failure
        }
        buffer.append(contentsOf: piece)
        do throws(CryptoError) {
            try advance(to: &content)
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the stream after the last piece of the file: opens the last chunk and appends its content.
    ///
    /// - Throws: `.sealedFileDamaged` if the file is incomplete.
    package mutating func finish(to content: inout [UInt8]) throws(CryptoError) {
        if let failure {
            throw failure
        }
        do throws(CryptoError) {
            try end(to: &content)
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func advance(to content: inout [UInt8]) throws(CryptoError) {
        if phase == .header, let byteCount = try headerBytes(), buffer.count >= byteCount {
            guard let secret = secret.take() else {
                preconditionFailure("the secret must be kept until it has opened the header")
            }
            stream = try open(with: secret)
            drop(byteCount)
            phase = .chunks
        }
        if phase == .chunks, try pullFullChunks(to: &content) {
            phase = .ended
        }
        if phase == .ended, !buffer.isEmpty {
            throw damaged("bytes follow the end of the file", at: offset)
        }
    }

    private mutating func end(to content: inout [UInt8]) throws(CryptoError) {
        switch phase {
        case .header:
            throw damaged("the file ends inside the header", at: UInt64(buffer.count))
        case .chunks:
            // If the last chunk is full, `pullFullChunks` has opened it already. A shorter last chunk is recognized
            // only by the end of the file.
            guard pull(buffer[...], to: &content) == .final else {
                throw damaged("the file ends early, or the last part was changed", at: offset)
            }
            drop(buffer.count)
            phase = .ended
        case .ended:
            break
        }
    }

    private mutating func pull(_ sealed: ArraySlice<UInt8>, to content: inout [UInt8]) -> SecretStreamState.Tag? {
        guard var current = stream.take() else { return nil }
        let tag = current.pull(sealed, to: &content)
        stream = consume current
        return tag
    }

    /// Opens all full chunks of the buffer. Returns true if the last chunk of the stream was among them.
    private mutating func pullFullChunks(to content: inout [UInt8]) throws(CryptoError) -> Bool {
        var start = 0
        defer { drop(start) }
        while buffer.count - start >= SealedFileLimits.sealedChunkBytes {
            let end = start + SealedFileLimits.sealedChunkBytes
            switch pull(buffer[start..<end], to: &content) {
            case .message:
                start = end
            case .final:
                start = end
                return true
            case nil:
                throw damaged("a part was changed", at: offset + UInt64(start))
            }
        }
        return false
    }

    private mutating func drop(_ count: Int) {
        buffer.removeSubrange(..<count)
        offset += UInt64(count)
    }

    private func headerBytes() throws(CryptoError) -> Int? {
        do throws(InterchangeError) {
            return try SealedFileHeader.byteCount(beginning: buffer, format)
        } catch {
            throw CryptoError(.sealedFileDamaged, error.description)
        }
    }

    private func open(with secret: borrowing SlotSecret) throws(CryptoError) -> SecretStreamState {
        let header: SealedFileHeader
        do throws(InterchangeError) {
            header = try SealedFileHeader(parsing: buffer, format)
        } catch {
            throw CryptoError(.sealedFileDamaged, error.description)
        }
        let key = try SealedFileKey.open(header, with: secret)
        return try SecretStreamState(readingUnder: try key.streamKey(), header: header.streamHeader)
    }

    private func damaged(_ cause: String, at offset: UInt64) -> CryptoError {
        CryptoError(.sealedFileDamaged, "the sealed \(format.noun) is damaged: \(cause) (byte \(offset))")
    }
}
