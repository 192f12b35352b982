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
