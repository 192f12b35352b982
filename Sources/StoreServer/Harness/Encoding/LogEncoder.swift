internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// Writes pages of a log and the answers to appends as protobuf without building protobuf types.
enum LogEncoder {
    static func append(_ head: ResponseHead, _ page: LogPage, to buffer: inout ByteBuffer) {
        let infoBytes = size(of: page.info)
        var resultBytes = page.hasMore ? ProtobufSize.varintField(2, 1) : 0
        resultBytes += ProtobufSize.bytesField(3, count: infoBytes)
        for entry in page.entries {
            resultBytes += ProtobufSize.bytesField(1, count: size(of: entry))
        }
        FrameWriter.append(head, result: 222, resultBytes: resultBytes, to: &buffer) { writer in
            for entry in page.entries {
                writer.startBytesField(1, count: size(of: entry))
                writeInteger(1, Int64(bitPattern: entry.sequence), to: &writer)
                entry.data.withUnsafeBytes { writer.bytesField(2, $0) }
            }
            if page.hasMore {
                writer.varintField(2, 1)
            }
            writer.startBytesField(3, count: infoBytes)
            write(page.info, to: &writer)
        }
    }

    static func append(
        _ head: ResponseHead, appended sequences: ClosedRange<UInt64>, isReplayed: Bool, to buffer: inout ByteBuffer
    ) {
        let first = Int64(bitPattern: sequences.lowerBound)
        let last = Int64(bitPattern: sequences.upperBound)
        let resultBytes = integerSize(1, first) + integerSize(2, last) + integerSize(3, isReplayed ? 1 : 0)
        FrameWriter.append(head, result: 221, resultBytes: resultBytes, to: &buffer) { writer in
            writeInteger(1, first, to: &writer)
            writeInteger(2, last, to: &writer)
            writeInteger(3, isReplayed ? 1 : 0, to: &writer)
        }
    }

    private static func size(of entry: LogEntry) -> Int {
        integerSize(1, Int64(bitPattern: entry.sequence)) + ProtobufSize.bytesField(2, count: entry.data.count)
    }

    private static func size(of info: Log) -> Int {
        var size = textSize(1, info.name.text)
        size += integerSize(2, Int64(bitPattern: info.configuration.maximumBytes))
        size += info.configuration.overwritesOldest ? 2 : 0
        size += integerSize(4, info.createdAt.microseconds)
        size += integerSize(5, Int64(bitPattern: info.sequences?.lowerBound ?? 0))
        size += integerSize(6, Int64(bitPattern: info.sequences?.upperBound ?? 0))
        size += integerSize(7, Int64(bitPattern: info.usedBytes))
        return size
    }

    private static func write(_ info: Log, to writer: inout ProtobufWriter) {
        writeText(1, info.name.text, to: &writer)
        writeInteger(2, Int64(bitPattern: info.configuration.maximumBytes), to: &writer)
        writeInteger(3, info.configuration.overwritesOldest ? 1 : 0, to: &writer)
        writeInteger(4, info.createdAt.microseconds, to: &writer)
        writeInteger(5, Int64(bitPattern: info.sequences?.lowerBound ?? 0), to: &writer)
        writeInteger(6, Int64(bitPattern: info.sequences?.upperBound ?? 0), to: &writer)
        writeInteger(7, Int64(bitPattern: info.usedBytes), to: &writer)
    }
}

extension ResponseEncoder {
    static func wire(_ info: Log) -> WireLog {
        var wire = WireLog()
        wire.name = info.name.text
        wire.maximumBytes = info.configuration.maximumBytes
        wire.overwritesOldest = info.configuration.overwritesOldest
        wire.createdAtMicroseconds = info.createdAt.microseconds
        wire.firstSequence = info.sequences?.lowerBound ?? 0
        wire.lastSequence = info.sequences?.upperBound ?? 0
        wire.usedBytes = info.usedBytes
        return wire
    }

    static func wire(_ page: LogListPage) -> WireListLogsResponse {
        var wire = WireListLogsResponse()
        wire.logs = page.logs.map { self.wire($0) }
        wire.nextCursor = page.nextCursor ?? ""
        return wire
    }
}
