/// Who may do what. Everyone is refused except:
/// - root and the daemon's own user: everything;
/// - members of the trusted group: every area, not administration;
/// - whoever a rule names: what the rule grants.
package struct AccessPolicy: Sendable, Hashable {
    private let rules: [AccessRule]
    private let ownUser: UInt32
    /// `nil`: nobody is trusted by group.
    package let trustedGroup: UInt32?

    package var ruleCount: Int { rules.count }

    private static let root: UInt32 = 0

    /// - Parameters:
    ///   - ownUser: the user the daemon runs as.
    ///   - trustedGroup: the group whose members may use every area; `nil` when the system has no such group.
    package init(rules: [AccessRule], ownUser: UInt32, trustedGroup: UInt32?) {
        self.rules = rules
        self.ownUser = ownUser
        self.trustedGroup = trustedGroup
    }

    /// Whether connection places are kept for the caller: it is the one who can end a shortage of them.
    func hasReserve(_ caller: Caller) -> Bool {
        caller.uid == Self.root || caller.uid == ownUser
    }

    /// The rights of a caller: the sum of all that applies.
    package func grants(for caller: Caller) -> Grants {
        if caller.uid == Self.root || caller.uid == ownUser {
            return .host
        }
        var grants = Grants.none
        if let trustedGroup, caller.isMember(ofGroup: trustedGroup) {
            grants = .allAreas
        }
        for rule in rules where rule.applies(to: caller) {
            grants = grants.union(Grants(rights: rule.rights))
        }
        return grants
    }
}
