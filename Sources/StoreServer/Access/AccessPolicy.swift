/// The access policy of the daemon. It refuses every caller except three kinds:
/// - Root and the daemon's own user have all rights.
/// - Members of the trusted group have the rights to every area, but not administration.
/// - Callers that a rule names have the rights that the rule grants.
package struct AccessPolicy: Sendable, Hashable {
    private let rules: [AccessRule]
    private let ownUser: UInt32
    /// The group whose members may use every area; `nil` if the daemon trusts no group.
    package let trustedGroup: UInt32?

    package var ruleCount: Int { rules.count }

    private static let root: UInt32 = 0

    /// - Parameters:
    ///   - ownUser: The user that the daemon runs as.
    ///   - trustedGroup: The group whose members may use every area; `nil` if the system has no such group.
    package init(rules: [AccessRule], ownUser: UInt32, trustedGroup: UInt32?) {
        self.rules = rules
        self.ownUser = ownUser
        self.trustedGroup = trustedGroup
    }

    /// Returns true for root and the daemon's own user. The daemon reserves some connections for them, so that they can
    /// connect even if all other connections are in use.
    func hasReserve(_ caller: Caller) -> Bool {
        caller.uid == Self.root || caller.uid == ownUser
    }

    /// Returns the sum of all rights that apply to a caller.
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
