internal import NIOCore
internal import StoreEngine
internal import StoreProtocol

/// Writes `Committed`, the answer to every mutation, without building protobuf types.
enum ReceiptEncoder {
    static func append(_ head: ResponseHead, _ receipt: Receipt, to buffer: inout ByteBuffer) {
        var resultBytes = integerSize(1, Int64(bitPattern: receipt.revision))
        for id in receipt.ids {
            resultBytes += ProtobufSize.bytesField(2, count: id.utf8.count)
        }
        resultBytes += integerSize(3, Int64(receipt.created))
        resultBytes += integerSize(4, Int64(receipt.updated))
        resultBytes += integerSize(5, Int64(receipt.deleted))
        resultBytes += integerSize(6, receipt.isReplayed ? 1 : 0)
        FrameWriter.append(head, result: 20, resultBytes: resultBytes, to: &buffer) { writer in
            writeInteger(1, Int64(bitPattern: receipt.revision), to: &writer)
            for id in receipt.ids {
                writer.textField(2, id)
            }
            writeInteger(3, Int64(receipt.created), to: &writer)
            writeInteger(4, Int64(receipt.updated), to: &writer)
            writeInteger(5, Int64(receipt.deleted), to: &writer)
            writeInteger(6, receipt.isReplayed ? 1 : 0, to: &writer)
        }
    }
}
