import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import Testing

extension EveryCallTests {
    func makeReplicationCalls(_ caller: RecordingCaller) throws {
        let create = WireCreateReplicaGroupRequest.with {
            $0.deviceName = "desk"
            $0.selection = ["conversations", "scenes:notes.*"]
        }
        let device = try caller.expect("replica_device", .createReplicaGroup(create)).replicaDevice.device
        let invited = try caller.expect("replica_invitation", .inviteReplicaDevice(.init())).replicaInvitation
        #expect(invited.code.count == 39 && invited.expiresAtMicroseconds > 0)
        let status = try caller.expect("replica_status", .getReplicaStatus(.init())).replicaStatus
        #expect(status.state == .member && status.device == device && status.deviceName == "desk")
        #expect(status.selection == create.selection && status.groupID.count == 16)
        #expect(status.invitationExpiriesMicroseconds == [invited.expiresAtMicroseconds])
        #expect(status.followed.count == 1 && status.outgoing.count == 1)
        let channel = try #require(status.outgoing.first).channel
        _ = try caller.expect("commit", .saveContact(.with { $0.sessionID = "told" }))
        _ = try caller.expect("commit", .saveDraft(.with { ($0.conversation.sessionID, $0.text) = ("told", "later") }))
        let taken = try caller.expect(
            "replica_messages", .takeReplicaMessages(.with { $0.channel = channel })
        ).replicaMessages.messages
        #expect(taken.first?.sequence == 1)
        let own = WireHandInReplicaMessageRequest.with {
            $0.channel = channel
            $0.message = taken.first?.message ?? Data()
        }
        let handedIn = try caller.expect("replica_handed_in", .handInReplicaMessage(own)).replicaHandedIn
        #expect(handedIn.outcome == .merged && handedIn.reason.isEmpty && handedIn.nextSequence > 1)
        let unknown = try caller.expect("error", .removeReplicaDevice(.with { $0.device = 7 }))
        #expect(unknown.error.reason == "REPLICA_DEVICE_NOT_FOUND")
        let join = WireJoinReplicaGroupRequest.with {
            $0.deviceName = "lap"
            $0.code.kind = .recoveryCode
            $0.code.value = invited.code
        }
        #expect(try caller.expect("error", .joinReplicaGroup(join)).error.reason == "ALREADY_EXISTS")
        let edits = try caller.expect("lost_edits", .listLostEdits(.with { $0.limit = 10 })).lostEdits
        #expect(edits.edits.isEmpty && edits.nextCursor.isEmpty && status.lostEditCount == 0)
        _ = try caller.expect("lost_edit_dismissed", .dismissLostEdit(.with { $0.id = 1 }))
        _ = try caller.expect("replica_group_left", .leaveReplicaGroup(.init()))
        #expect(try caller.expect("error", .getReplicaStatus(.init())).error.reason == "REPLICA_GROUP_ABSENT")
    }
}
