import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// Records of archives as protobuf (archives.proto).
struct ArchiveRecordCoding: ArchiveCoding {
    func encode(_ entry: ArchiveEntry) -> [UInt8] {
        var wire = WireArchiveRecord()
        wire.record = .init(entry.record)
        if let time = entry.changedAt { wire.changedAtMicroseconds = time.microseconds }
        let bytes: [UInt8]? = try? wire.serializedBytes()
        guard let bytes else { preconditionFailure("a record without required fields can be serialized") }
        return bytes
    }

    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry {
        let attachmentCount = NestedAttachments.count(archived: bytes)
        guard attachmentCount ?? 0 <= EngineLimits.attachmentsMax else {
            throw .invalidArgument("it has more than \(EngineLimits.attachmentsMax) attachments")
        }
        guard attachmentCount != nil, let wire = try? WireArchiveRecord(serializedBytes: Array(bytes)) else {
            throw .invalidArgument("its bytes are not a record")
        }
        guard wire.contentFile.isEmpty else {
            throw .invalidArgument("it names a file that contains its bytes, which is allowed only in JSON Lines")
        }
        do throws(StoreError) {
            guard let record = try ArchiveRecord(wire: wire.record) else {
                throw .invalidArgument("its kind is unknown to this daemon")
            }
            return ArchiveEntry(
                record,
                changedAt: wire.hasChangedAtMicroseconds ? Timestamp(microseconds: wire.changedAtMicroseconds) : nil)
        } catch {
            throw .invalidArgument(error.message)
        }
    }
}
