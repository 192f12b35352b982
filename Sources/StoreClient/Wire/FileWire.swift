import StoreProtocol
import SwiftProtobuf

extension WireFilePath {
    init(_ path: VaultPath) {
        self.init()
        area = WireFileArea(path.area)
        self.path = path.subpath
    }
}

/// The position in a file at which a write in pieces begins.
public enum FileWritePlace: Hashable, Sendable {
    /// Replaces the whole content of the file, or creates a file.
    case whole
    /// Appends to the end of the file, or creates a file.
    case end
    /// Writes from an offset on, over the existing bytes and beyond the end. The offset is at most the file's size.
    case offset(UInt64)
}

extension WireBeginFileWriteRequest {
    mutating func apply(_ place: FileWritePlace) {
        switch place {
        case .whole: self.place = .whole
        case .end: self.place = .end
        case .offset(let offset): (self.place, self.offset) = (.offset, offset)
        }
    }
}

extension RequestBody {
    /// Encodes a `WriteFileRequest` by hand, so that the piece is copied only once.
    init(piece: ArraySlice<UInt8>, of write: UInt64, at offset: UInt64) {
        var callBytes = piece.isEmpty ? 0 : ProtobufSize.bytesField(3, count: piece.count)
        callBytes += write == 0 ? 0 : ProtobufSize.varintField(1, write)
        callBytes += offset == 0 ? 0 : ProtobufSize.varintField(2, offset)
        let number = CallKind.writeFile.rawValue
        let byteCount = ProtobufSize.bytesField(number, count: callBytes)
        bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { memory, count in
            var writer = ProtobufWriter(
                UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[..<byteCount])))
            writer.startBytesField(number, count: callBytes)
            if write != 0 {
                writer.varintField(1, write)
            }
            if offset != 0 {
                writer.varintField(2, offset)
            }
            if !piece.isEmpty {
                piece.withUnsafeBytes { writer.bytesField(3, $0) }
            }
            precondition(writer.isFull, "an encoded request must have the computed size")
            count = byteCount
        }
    }
}

extension FilePiece {
    init(_ answer: Answer) throws(StoreClientError) {
        if let piece = answer.piece {
            self = piece
        } else {
            self = try answer.result { result in
                if case .fileData(let data) = result {
                    FilePiece(bytes: Array(data.data), file: VaultItem(data.file))
                } else {
                    nil
                }
            }
        }
    }

    /// Decodes a `ReadFileResponse` by hand, so that its bytes are copied only once. `nil` for any other answer.
    init?(in payload: UnsafeRawBufferPointer, _ outline: ResponseOutline) {
        guard outline.resultNumber == CallKind.readFile.rawValue else { return nil }
        var reader = ProtobufReader(payload, range: outline.result)
        var (data, file) = (0..<0, 0..<0)
        do {
            while let field = try reader.next() {
                switch (field.number, field.value) {
                case (1, .bytes(let range)): data = range
                case (2, .bytes(let range)): file = range
                default: return nil
                }
            }
            let item = try WireFile(serializedBytes: Array(payload[file]))
            self.init(bytes: Array(UnsafeRawBufferPointer(rebasing: payload[data])), file: VaultItem(item))
        } catch {
            return nil
        }
    }
}
