package import StoreBasics

/// A single right that a rule grants.
package enum AccessRight: Sendable, Hashable {
    /// Without a pattern, the right covers the whole area.
    case read(Area, NamePattern?)
    case write(Area, NamePattern?)
    case administration
    /// Carrying the sealed messages of the store's replica group.
    case replication
}

/// A rule that grants rights to one user or to the members of one group.
package struct AccessRule: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case user(UInt32)
        case group(UInt32)
    }

    package let subject: Subject
    package let rights: [AccessRight]

    package init(subject: Subject, rights: [AccessRight]) {
        self.subject = subject
        self.rights = rights
    }

    func applies(to caller: Caller) -> Bool {
        switch subject {
        case .user(let user): caller.uid == user
        case .group(let group): caller.isMember(ofGroup: group)
        }
    }
}
