import CLinuxShims
import Glibc
import StoreBasics

/// The identity of the process at the other end of a connection. It is read once, when the connection is accepted.
///
/// Decisions use `uid`, `gid` and `groups` only. `pid` is for log lines: the system may reuse the number, so nothing is
/// looked up by it.
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

    /// Returns true if the caller had the group as primary or supplementary group when it connected.
    package func isMember(ofGroup group: UInt32) -> Bool {
        gid == group || groups.contains(group)
    }
}

/// Reads the identity of a connected Unix socket's peer from the kernel (unix(7): SO_PEERCRED, SO_PEERGROUPS).
package enum PeerCredentials {
    /// The largest number of supplementary groups that the kernel keeps for a process (NGROUPS_MAX).
    private static let groupsMax = 65_536
    /// The number of groups that fit without a second call.
    private static let groupsExpected = 64

    /// Returns the peer's identity at the time when it called connect(). Later changes of the peer are not visible.
    ///
    /// - Throws: `ServerError` with code `.system` if the descriptor is not a connected Unix stream socket.
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

    /// Makes the kernel refuse descriptors that the peer tries to pass. Returns false on kernels before 6.16, which do
    /// not know the option. There, plain `read` calls discard passed descriptors anyway.
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
