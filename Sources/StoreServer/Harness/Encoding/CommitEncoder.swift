internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// Writes `Committed`, the answer to every mutation, without building protobuf types.
enum CommitEncoder {
    static func append(_ head: ResponseHead, _ commit: Commit, to buffer: inout ByteBuffer) {
        var resultBytes = integerSize(1, Int64(bitPattern: commit.revision))
        for id in commit.ids {
            resultBytes += ProtobufSize.bytesField(2, count: id.utf8.count)
        }
        resultBytes += integerSize(3, Int64(commit.createdCount))
        resultBytes += integerSize(4, Int64(commit.updatedCount))
        resultBytes += integerSize(5, Int64(commit.deletedCount))
        resultBytes += integerSize(6, commit.isReplayed ? 1 : 0)
        FrameWriter.append(head, result: 20, resultBytes: resultBytes, to: &buffer) { writer in
            writeInteger(1, Int64(bitPattern: commit.revision), to: &writer)
            for id in commit.ids {
                writer.textField(2, id)
            }
            writeInteger(3, Int64(commit.createdCount), to: &writer)
            writeInteger(4, Int64(commit.updatedCount), to: &writer)
            writeInteger(5, Int64(commit.deletedCount), to: &writer)
            writeInteger(6, commit.isReplayed ? 1 : 0, to: &writer)
        }
    }
}
