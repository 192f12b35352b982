import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

private func text(_ generator: inout SplitMix) -> String {
    ["", "a", "né漢", String(repeating: "x", count: 200)].randomElement(using: &generator) ?? ""
}

private func randomNewMessage(_ generator: inout SplitMix) -> WireNewMessage {
    .with {
        $0.id = text(&generator)
        switch Int.random(in: 0...4, using: &generator) {
        case 0: $0.conversation.id = "c"
        case 1: $0.conversation.id = ""
        case 2: $0.conversation.sessionID = "s"
        case 3: $0.conversation = WireConversationReference()
        default: break
        }
        $0.text = text(&generator)
        $0.senderSessionID = text(&generator)
        $0.recipientSessionID = text(&generator)
        $0.timestampMicroseconds = [0, -5, 1_700_000_000_000_000].randomElement(using: &generator) ?? 0
        $0.status = WireMessageStatus(rawValue: Int.random(in: 0...5, using: &generator)) ?? .sent
        $0.isOutgoing = .random(using: &generator)
        $0.isRead = .random(using: &generator)
        if Bool.random(using: &generator) { $0.attachmentURL = text(&generator) }
        if Bool.random(using: &generator) { $0.attachmentType = text(&generator) }
        if Bool.random(using: &generator) { $0.replyToMessageID = text(&generator) }
        ($0.kind, $0.senderName) = (text(&generator), text(&generator))
        if Bool.random(using: &generator) {
            $0.metadata.data = Data(text(&generator).utf8)
            $0.metadata.type = text(&generator)
        }
    }
}

/// Returns the message or the error of a decoder, in a form that can be compared.
private func outcome(_ body: () throws(StoreError) -> NewMessage) -> Result<NewMessage, StoreError> {
    do throws(StoreError) {
        return .success(try body())
    } catch {
        return .failure(error)
    }
}

@Suite struct DecodingTests {
    @Test func `the fast decoder of save message gives the same message as swift-protobuf`() throws {
        var generator = TestSeeds.generator(21)
        for _ in 0..<TestTier.count(400, long: 2_000) {
            let wire = randomNewMessage(&generator)
            let call: [UInt8] = try WireSaveMessageRequest.with { $0.message = wire }.serializedBytes()
            let slow = outcome { () throws(StoreError) in try NewMessage(NewMessageFields(wire)) }
            let fast = call.withUnsafeBytes { bytes in
                outcome { () throws(StoreError) in
                    guard let fields = MessageCalls.plainMessage(CallBytes(bytes)) else {
                        throw StoreError(.internal, "not decoded the fast way")
                    }
                    return try NewMessage(fields)
                }
            }
            #expect(fast == slow)
        }
    }

    @Test func `the fast decoder leaves unusual messages to swift-protobuf`() throws {
        let one: [UInt8] = try WireNewMessage.with {
            $0.conversation.id = "c"
            $0.text = "first"
        }.serializedBytes()
        let repeated = one + [0x1a, 0x01, 0x41]  // `text` a second time
        let renamed = [0x12, 0x06, 0x0a, 0x01, 0x63, 0x12, 0x01, 0x73] as [UInt8]  // the conversation by both names
        let unknown = one + [0xa0, 0x06, 0x01]  // field 100
        let malformed = one + [0x1a, 0xff]
        let invalidText = one[...].dropLast(5) + [0xff, 0xfe, 0xff, 0xfe, 0xff]
        for message in [repeated, renamed, unknown, malformed, Array(invalidText)] {
            let call = [0x0a, UInt8(message.count)] + message
            #expect(call.withUnsafeBytes { MessageCalls.plainMessage(CallBytes($0)) } == nil)
        }
        let call = [0x0a, UInt8(repeated.count)] + repeated
        let command = try call.withUnsafeBytes { bytes in
            try CallKind.saveMessage.rule.decode(CallBytes(bytes))
        }
        guard case .mutation(.saveMessage(let message, clearsDraft: false), _) = command else {
            Issue.record("not a mutation")
            return
        }
        #expect(message.text == "A")
    }

    @Test func `status numbers of engine and wire are the same`() throws {
        for status in MessageStatus.allCases {
            #expect(WireMessageStatus(status).rawValue == status.rawValue)
            #expect(try MessageStatus(wire: Int64(status.rawValue)) == status)
        }
        for number: Int64 in [0, 5, -1, .max] {
            #expect(throws: StoreError.self) { try MessageStatus(wire: number) }
        }
    }

    @Test func `an empty call decodes, or the error names what is missing`() {
        for kind in CallKind.allCases {
            let result = outcomeOfEmptyCall(kind)
            if case .failure(let failure) = result {
                #expect(failure.reason == .invalidArgument, "\(kind)")
                #expect(failure.message.first?.isLowercase == true, "\(kind)")
            }
        }
    }

    private func outcomeOfEmptyCall(_ kind: CallKind) -> Result<Void, StoreError> {
        do throws(StoreError) {
            _ = try kind.rule.decode(CallBytes(UnsafeRawBufferPointer(start: nil, count: 0)))
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    @Test func `random bytes of every call never trap`() {
        var generator = TestSeeds.generator(5)
        for kind in CallKind.allCases {
            for _ in 0..<TestTier.count(40, long: 300) {
                let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                bytes.withUnsafeBytes { bytes in
                    _ = try? kind.rule.decode(CallBytes(bytes))
                }
            }
        }
    }
}
