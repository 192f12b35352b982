internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// Writes changes as protobuf without building protobuf types: a commit goes to many watchers.
enum ChangeEncoder {
    static func append(_ head: ResponseHead, _ page: ChangePage, to buffer: inout ByteBuffer) {
        append(head, result: 160, page.changes[...], revision: page.revision, hasMore: page.hasMore, to: &buffer)
    }

    static func append(
        _ head: ResponseHead, watchEvent changes: ArraySlice<Change>, revision: UInt64, to buffer: inout ByteBuffer
    ) {
        append(head, result: 161, changes, revision: revision, hasMore: false, to: &buffer)
    }

    /// ListChangesResponse and WatchEvent have the same first fields.
    private static func append(
        _ head: ResponseHead, result number: UInt32, _ changes: ArraySlice<Change>, revision: UInt64, hasMore: Bool,
        to buffer: inout ByteBuffer
    ) {
        var resultBytes = integerSize(2, Int64(bitPattern: revision)) + (hasMore ? ProtobufSize.varintField(3, 1) : 0)
        for change in changes {
            resultBytes += ProtobufSize.bytesField(1, count: size(of: change))
        }
        FrameWriter.append(head, result: number, resultBytes: resultBytes, to: &buffer) { writer in
            for change in changes {
                writer.startBytesField(1, count: size(of: change))
                write(change, to: &writer)
            }
            writeInteger(2, Int64(bitPattern: revision), to: &writer)
            if hasMore {
                writer.varintField(3, 1)
            }
        }
    }

    /// Bytes of the change without tag and length.
    static func size(of change: Change) -> Int {
        integerSize(1, Int64(bitPattern: change.revision))
            + integerSize(2, Int64(change.kind.rawValue))
            + integerSize(3, Int64(change.operation.rawValue))
            + textSize(4, change.id) + textSize(5, change.parent)
            + integerSize(6, change.committedAt.microseconds)
    }

    private static func write(_ change: Change, to writer: inout ProtobufWriter) {
        writeInteger(1, Int64(bitPattern: change.revision), to: &writer)
        writeInteger(2, Int64(change.kind.rawValue), to: &writer)
        writeInteger(3, Int64(change.operation.rawValue), to: &writer)
        writeText(4, change.id, to: &writer)
        writeText(5, change.parent, to: &writer)
        writeInteger(6, change.committedAt.microseconds, to: &writer)
    }
}
