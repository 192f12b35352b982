import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// Records of archives. The author of an archive can choose any bytes, so records are untrusted.
@Suite struct ServerArchiveRecordTests {
    private static let attachment = WireArchivedAttachment.with {
        $0.byteCount = 1
        $0.mimeType = "image/png"
        $0.digest.append(contentsOf: [UInt8](repeating: 7, count: 32))
    }

    private static func records(_ count: Int) -> [WireArchiveRecord] {
        let attachments = [WireArchivedAttachment](repeating: attachment, count: count)
        return [
            .with { record in
                record.message = .with {
                    $0.id = "m"
                    $0.status = .sent
                    $0.attachments = attachments
                }
            },
            .with { record in
                record.draft = .with {
                    $0.sessionID = "s"
                    $0.attachments = attachments
                }
            },
        ]
    }

    @Test
    func `a message or draft in an archive has the same limit of attachments as elsewhere`()
        throws
    {
        for record in Self.records(EngineLimits.attachmentsMax) {
            let bytes: [UInt8] = try record.serializedBytes()
            _ = try ArchiveRecordCoding().decode(bytes[...])
        }
        for record in Self.records(EngineLimits.attachmentsMax + 1) {
            let bytes: [UInt8] = try record.serializedBytes()
            let error = #expect(throws: StoreError.self) { try ArchiveRecordCoding().decode(bytes[...]) }
            #expect(error?.message.contains("attachments") == true)
        }
    }

    @Test func `unknown fields of messages and attachments are kept byte for byte`() throws {
        var later: [UInt8] = []
        later.append(field: 40, present: "of a later version")
        later.append(field: 41, present: 7)
        let bytes: [UInt8] = try Self.records(1)[0].serializedBytes()
        let record = try WireArchiveRecord(serializedBytes: bytes)
        let attachment: [UInt8] = try Self.attachment.serializedBytes()
        var message: [UInt8] = try WireArchivedMessage.with {
            $0 = record.message
            $0.attachments = []
        }.serializedBytes()
        message.append(field: 16, present: attachment + later)
        message += later
        var whole: [UInt8] = []
        whole.append(field: 4, present: message)
        let entry = try ArchiveRecordCoding().decode(whole[...])
        guard case .message(let read) = entry.record else {
            Issue.record("it is another record")
            return
        }
        #expect(read.unknownFields == later)
        #expect(read.attachments.first?.unknownFields == later)
        #expect(ArchiveRecordCoding().encode(entry) == whole)
    }

    /// Eight million empty attachments would become a gigabyte of objects, so the limit is checked before they are
    /// decoded.
    @Test(arguments: [0x22: [0x82, 0x01, 0x00], 0x32: [0x3A, 0x00]] as [UInt8: [UInt8]])
    func `too many empty attachments are rejected`(field: UInt8, attachment: [UInt8]) throws {
        var holder: [UInt8] = []
        while holder.count < TestTier.count(100_000, long: 16_000_000) {
            holder += attachment
        }
        var record = [field]
        record.append(leb128: UInt64(holder.count))
        record += holder
        // The attachments may be in one field, or in several fields of the same number, which are decoded as one.
        for bytes in [record, record + record] {
            let error = #expect(throws: StoreError.self) { try ArchiveRecordCoding().decode(bytes[...]) }
            #expect(error?.message.contains("attachments") == true)
        }
    }

    @Test func `a record that names a content file is rejected, because only JSON Lines have these`() throws {
        var record = WireArchiveRecord.with { $0.filePiece = .init([1]) }
        let plain: [UInt8] = try record.serializedBytes()
        _ = try ArchiveRecordCoding().decode(plain[...])
        record.contentFile = "contents/file-000001"
        let bytes: [UInt8] = try record.serializedBytes()
        let error = #expect(throws: StoreError.self) { try ArchiveRecordCoding().decode(bytes[...]) }
        #expect(error?.message.contains("JSON Lines") == true)
    }
}
