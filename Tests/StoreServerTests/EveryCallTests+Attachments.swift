import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

extension EveryCallTests {
    func makeAttachmentCalls(_ caller: RecordingCaller) throws {
        let begun = try caller.expect("file_write", .beginAttachmentWrite(.with { $0.byteCount = 5 })).fileWrite
        let piece = WireWriteFileRequest.with {
            $0.write = begun.write
            $0.data = Data("large".utf8)
        }
        _ = try caller.expect("file_write_progress", .writeFile(piece))
        let finished = try caller.expect("commit", .finishFileWrite(.with { $0.write = begun.write })).commit
        #expect(finished.ids.count == 1 && finished.createdCount == 0)
        let inline = WireNewAttachment.with {
            $0.data = Data("small".utf8)
            $0.name = "small.txt"
            $0.mimeType = "text/plain"
            $0.thumbnail = Data([1, 2])
        }
        let message = try WireNewMessage.with {
            $0.id = "attached"
            $0.conversation.sessionID = "alice"
            $0.attachments = [
                inline,
                try .with {
                    $0.digest = Data(try #require(Hexadecimal.decode(finished.ids[0])))
                    $0.mimeType = "image/png"
                    $0.source = "https://example.org"
                },
            ]
        }
        _ = try caller.expect("commit", .saveMessage(.with { $0.message = message }))
        let got = try caller.expect("message", .getMessage(.with { $0.id = "attached" })).message.attachments
        #expect(got.map(\.name) == ["small.txt", ""] && got.map(\.byteCount) == [5, 5])
        let list = WireListAttachmentsRequest.with {
            $0.conversation.sessionID = "alice"
            $0.withThumbnails = true
        }
        let page = try caller.expect("attachments", .listAttachments(list)).attachments
        #expect(page.attachments.map(\.position) == [1, 0] && page.attachments.map(\.attachment) == got.reversed())
        #expect(page.attachments.map(\.thumbnail) == [Data(), Data([1, 2])])
        let read = WireReadAttachmentRequest.with {
            $0.messageID = "attached"
            $0.position = 1
            $0.offset = 1
        }
        let part = try caller.expect("attachment_data", .readAttachment(read)).attachmentData
        #expect(part.data == Data("arge".utf8) && part.attachment == got[1])
        let usage = try caller.expect("attachment_usage", .getAttachmentUsage(.init())).attachmentUsage
        #expect(usage.contentCount == 2 && usage.storedBytes == 10 && usage.evictableBytes == 5)
        _ = try caller.expect("commit", .deleteMessages(.with { $0.ids = ["attached"] }))
    }
}
