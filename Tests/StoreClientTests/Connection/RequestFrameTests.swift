import NIOCore
import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreClient

@Suite struct RequestFrameTests {
    private func parse(_ buffer: ByteBuffer) throws -> WireRequest {
        var buffer = buffer
        let header = buffer.readInteger(as: UInt32.self)
        let length = try #require(header)
        #expect(Int(length) == buffer.readableBytes)
        return try WireRequest(serializedBytes: Array(buffer.readableBytesView))
    }

    @Test(arguments: [1, 127, 128, UInt64.max], [UInt32(0), 1, 30_000, .max])
    func `an id, a deadline and a body form one request`(id: UInt64, deadline: UInt32) throws {
        var call = WireGetMessageRequest()
        call.id = "m1"
        let key = IdempotencyKey()
        let body = try RequestBody(.getMessage(call), key: key)
        var buffer = ByteBuffer()
        RequestFrame.append(id: id, deadlineMilliseconds: deadline, body: body.bytes, to: &buffer)

        let request = try parse(buffer)
        #expect(request.id == id)
        #expect(request.deadlineMilliseconds == deadline)
        #expect(Array(request.idempotencyKey) == key.bytes)
        #expect(request.call == .getMessage(call))
    }

    @Test func `two frames in one buffer keep their lengths`() throws {
        let body = try RequestBody(.ping(WirePingRequest()))
        var buffer = ByteBuffer()
        RequestFrame.append(id: 1, deadlineMilliseconds: 0, body: body.bytes, to: &buffer)
        let firstBytes = buffer.readableBytes
        RequestFrame.append(id: 2, deadlineMilliseconds: 5, body: body.bytes, to: &buffer)
        let slice = buffer.readSlice(length: firstBytes)
        let first = try #require(slice)
        #expect(try parse(first).id == 1)
        #expect(try parse(buffer).id == 2)
    }

    @Test func `secrets occur only in the frame, once, and not at all after wiping`() throws {
        var call = WireChangePassphraseRequest()
        var secrets = SecretList()
        call.secret = try secrets.add(secretInput("old passphrase"))
        call.newSecret = try secrets.add(secretInput("new one"))
        let body = try RequestBody(.changePassphrase(call), secrets: secrets)
        #expect(!contains(body.bytes, "old passphrase"))
        #expect(!contains(body.bytes, "new one"))

        let frame = try #require(
            RequestFrame.withSecrets(id: 9, deadlineMilliseconds: 7, body: body, allocator: ByteBufferAllocator()))
        guard case .changePassphrase(let sent) = try parse(frame).call else {
            Issue.record("not the call that was made")
            return
        }
        #expect(sent.secret.value.elementsEqual("old passphrase".utf8))
        #expect(sent.secret.kind == .passphrase)
        #expect(sent.newSecret.value.elementsEqual("new one".utf8))

        let other = frame
        RequestFrame.wipe(frame)
        #expect(other.readableBytesView.allSatisfy { $0 == 0 }, "memory that is shared is wiped, not copied")
        #expect(
            RequestFrame.withSecrets(id: 9, deadlineMilliseconds: 7, body: body, allocator: ByteBufferAllocator())
                == nil, "a secret is sent once")
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }
}
