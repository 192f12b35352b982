internal import NIOCore
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol
internal import SwiftProtobuf

/// Writes values of scenes as protobuf: they are kept serialized, and go out as they are kept.
enum SceneEncoder {
    static func append(_ head: ResponseHead, _ page: SceneEntryPage, to buffer: inout ByteBuffer) {
        let cursor = page.nextCursor ?? ""
        var resultBytes = integerSize(2, Int64(bitPattern: page.revision)) + textSize(3, cursor)
        for entry in page.entries {
            resultBytes += ProtobufSize.bytesField(1, count: size(of: entry))
        }
        FrameWriter.append(head, result: 201, resultBytes: resultBytes, to: &buffer) { writer in
            for entry in page.entries {
                writer.startBytesField(1, count: size(of: entry))
                write(entry, to: &writer)
            }
            writeInteger(2, Int64(bitPattern: page.revision), to: &writer)
            writeText(3, cursor, to: &writer)
        }
    }

    private static func size(of entry: SceneEntry) -> Int {
        var size = textSize(1, entry.key.text)
        size += integerSize(2, tierNumber(entry.tier))
        size += integerSize(3, Int64(bitPattern: entry.revision))
        size += integerSize(4, entry.updatedAt.microseconds)
        if let value = entry.value {
            size += ProtobufSize.bytesField(5, count: value.count)
        }
        return size
    }

    private static func write(_ entry: SceneEntry, to writer: inout ProtobufWriter) {
        writeText(1, entry.key.text, to: &writer)
        writeInteger(2, tierNumber(entry.tier), to: &writer)
        writeInteger(3, Int64(bitPattern: entry.revision), to: &writer)
        writeInteger(4, entry.updatedAt.microseconds, to: &writer)
        if let value = entry.value {
            value.withUnsafeBytes { writer.bytesField(5, $0) }
        }
    }

    /// `SceneTier` of scenes.proto.
    private static func tierNumber(_ tier: SceneTier) -> Int64 {
        switch tier {
        case .scene: 1
        case .global: 2
        }
    }
}

extension ResponseEncoder {
    static func wire(_ page: SceneSummaryPage) -> WireListScenesResponse {
        var wire = WireListScenesResponse()
        wire.scenes = page.scenes.map { summary in
            .with {
                $0.scene = summary.scene.text
                $0.keyCount = UInt64(clamping: summary.keyCount)
                $0.updatedAtMicroseconds = summary.updatedAt.microseconds
            }
        }
        wire.nextCursor = page.nextCursor ?? ""
        return wire
    }
}
