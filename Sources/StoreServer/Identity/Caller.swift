import CLinuxShims
import Glibc
import StoreBasics

/// Who is on the other side of a connection: resolved once, at accept, and passed along as a value.
///
/// Decisions use `uid`, `gid` and `groups` only. `pid` is for log lines: it may be reused, so nothing is looked up by
/// it.
package struct Caller: Sendable, Hashable {
    package let uid: UInt32
    package let gid: UInt32
    /// Supplementary groups, in the kernel's order.
    package let groups: [UInt32]
    package let pid: Int32

    package init(uid: UInt32, gid: UInt32, groups: [UInt32] = [], pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.groups = groups
        self.pid = pid
    }

    /// True when the caller had the group as primary or supplementary group when it connected.
    package func isMember(ofGroup group: UInt32) -> Bool {
        gid == group || groups.contains(group)
    }
}

/// Reads the identity of a connected Unix socket's peer from the kernel (unix(7): SO_PEERCRED, SO_PEERGROUPS).
package enum PeerCredentials {
    /// Most supplementary groups the kernel keeps for a process (NGROUPS_MAX).
    private static let groupsMax = 65_536
    /// Groups that fit without a second call.
    private static let groupsExpected = 64

    /// The peer's identity as it was when it called connect(): later changes of the peer are not seen.
    ///
    /// - Throws: `ServerError` with code `.system` when the descriptor is not a connected Unix stream socket.
    package static func read(_ descriptor: Int32) throws(ServerError) -> Caller {
        var user: uid_t = 0
        var group: gid_t = 0
        var process: pid_t = 0
        let failure = ghost_peer_credentials(descriptor, &user, &group, &process)
        guard failure == 0 else {
            throw ServerError(.system, "the peer's identity could not be read: \(SystemError(failure))")
        }
        return Caller(uid: user, gid: group, groups: try supplementaryGroups(descriptor), pid: process)
    }

    /// Makes the kernel refuse descriptors that the peer tries to pass. Returns false on kernels before 6.16, which
    /// do not know the option: there plain `read` calls already leave passed descriptors behind.
    @discardableResult
    package static func refusePassedDescriptors(_ descriptor: Int32) -> Bool {
        ghost_refuse_passed_descriptors(descriptor) == 0
    }

    private static func supplementaryGroups(_ descriptor: Int32) throws(ServerError) -> [UInt32] {
        var capacity = groupsExpected
        while true {
            var groups = [gid_t](repeating: 0, count: capacity)
            var count = capacity
            let failure = ghost_peer_groups(descriptor, &groups, &count)
            if failure == 0 {
                return Array(groups.prefix(count))
            }
            guard failure == ERANGE, count > capacity, count <= groupsMax else {
                throw ServerError(.system, "the peer's groups could not be read: \(SystemError(failure))")
            }
            capacity = count
        }
    }
}
