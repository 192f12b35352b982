import StoreBasics
import StoreProtocol

/// Writing files of any size in pieces. Everybody sees the file as it was until the write is finished.
extension StoreClient {
    /// Bytes of a file that is written in one call.
    static let wholeFileBytesMax = 64 << 10

    /// Begins a write. Send the content with `FileWriter.write`, then finish it; a write that is not finished has no
    /// effect. The daemon runs at most 16 writes of a user at once; if there are as many, this waits for one to end.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - place: where in the file the bytes go.
    ///   - createsParents: whether directories that it lies in are made, where they are missing.
    ///   - byteCount: how many bytes will be written, where that is known: neither more nor fewer are taken then.
    /// - Throws: `.fileNotFound` for an offset and no file, `.parentDirectoryNotFound`, `.alreadyExists` where a
    ///   directory has the path, `.deadlineExceeded` where no other write ended in time.
    public func beginFileWrite(
        at path: VaultPath, _ place: FileWritePlace = .whole, createsParents: Bool = false, byteCount: Int? = nil
    ) async throws(StoreClientError) -> FileWriter {
        var call = WireBeginFileWriteRequest()
        call.path = WireFilePath(path)
        switch place {
        case .whole: call.place = .whole
        case .end: call.place = .end
        case .offset(let offset):
            call.place = .offset
            call.offset = offset
        }
        call.createsParents = createsParents
        if let byteCount {
            call.byteCount = UInt64(clamping: byteCount)
        }
        let number = try await answer(to: .beginFileWrite(call), .session(.fileWrite)) { result in
            if case .fileWrite(let begun) = result { begun.write } else { nil }
        }
        return FileWriter(client: self, number: number)
    }
}

/// Where in a file a write in pieces goes.
public enum FileWritePlace: Hashable, Sendable {
    /// In the place of all that the file has; makes a file where there is none.
    case whole
    /// Behind the end of the file; makes one where there is none.
    case end
    /// From a byte of the file on, over what is there and on behind its end. At most the file's size.
    case offset(UInt64)
}
