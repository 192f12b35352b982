import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests messages that a device finds in the channel of its own messages. Anyone with access to the stream may have put
/// them there.
@Suite struct ReplicaOwnMessageTests {
    let fleet: ReplicaFleet
    let own: ReplicaChannel

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [])
        own = .device(fleet.devices[0].number)
        let ann = ConversationReference.session(SessionID(trusted: "ann"))
        for device in fleet.devices {
            try device.engine.write(
                .saveMessage(NewMessage(id: EntityID("told \(device.number)"), conversation: ann, text: "text")))
        }
    }

    private func judge(_ bytes: [UInt8]) throws -> ReplicaHandedIn {
        try fleet.handIn(0, own, bytes)
    }

    /// Returns a message that a copy of the store could have made: with the store's keys and other content.
    private func copied(_ sequence: UInt64) throws -> [UInt8] {
        let (epoch, key) = try fleet.devices[0].engine.newestEpoch()
        let header = BatchHeader(
            group: try fleet.status(0).group.bytes, device: fleet.devices[0].number, sequence: sequence, epoch: epoch,
            previousHash: ReplicaGroupRow.noHash)
        return try fleet.devices[0].engine.writer.perform { context throws(StoreError) -> [UInt8] in
            let keys = try ReplicaGroupRow.keys(context.openConnection())
            do throws(CryptoError) {
                return try BatchEnvelope.seal(
                    header, [], epochKey: EpochKey(bytes: SecretBytes(copying: key)), deviceKeys: keys)
            } catch {
                throw StoreError(error)
            }
        }
    }

    @Test func `a device recognizes its own messages while they wait and after it has forgotten them`() throws {
        let waiting = try fleet.take(0, own, storedThrough: 0)
        let last = try #require(waiting.last)
        for message in waiting {
            #expect(try judge(message.bytes) == .merged(nextSequence: last.sequence + 1))
        }
        _ = try fleet.take(0, own, storedThrough: last.sequence)
        for message in waiting {
            #expect(try judge(message.bytes) == .merged(nextSequence: last.sequence + 1))
        }
    }

    @Test func `a message without this device's signature is refused`() throws {
        var bytes = try #require(try fleet.take(0, own, storedThrough: 0).last).bytes
        #expect(try judge([1, 2, 3]) == .refused(.malformed))
        bytes[bytes.count - 1] ^= 1
        #expect(try judge(bytes) == .refused(.forged))
        let other = try #require(try fleet.take(1, .device(fleet.devices[1].number), storedThrough: 0).first).bytes
        #expect(try judge(other) == .refused(.otherChannel))
    }

    @Test func `another message with this device's signature comes from a copy of its store`() throws {
        let last = try #require(try fleet.take(0, own, storedThrough: 0).last).sequence
        #expect(try judge(copied(last)) == .refused(.forked))
        #expect(try judge(copied(last + 1)) == .refused(.forked))
        // After the stream has acknowledged the last message, the device knows that message by its hash.
        _ = try fleet.take(0, own, storedThrough: last)
        #expect(try judge(copied(last)) == .refused(.forked))
        #expect(try fleet.status(0).lastSequence == last)
    }
}
