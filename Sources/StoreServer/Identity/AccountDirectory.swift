import Glibc

/// Resolves names of users and groups to numbers, from passwd(5) and group(5) through the name service switch.
package struct AccountDirectory: Sendable {
    private let lookUpUser: @Sendable (String) -> UInt32?
    private let lookUpGroup: @Sendable (String) -> UInt32?

    /// Creates a directory with other look-ups, for tests.
    package init(
        user: @escaping @Sendable (String) -> UInt32?, group: @escaping @Sendable (String) -> UInt32?
    ) {
        lookUpUser = user
        lookUpGroup = group
    }

    /// The accounts of the system. A look-up may block, for example on a network directory, so event loops must not use
    /// it.
    package static let system = AccountDirectory(user: systemUser, group: systemGroup)

    /// Returns the number of a user given by name or by number; `nil` if no user has that name.
    package func user(_ nameOrNumber: String) -> UInt32? {
        Self.number(nameOrNumber) ?? lookUpUser(nameOrNumber)
    }

    /// Returns the number of a group given by name or by number; `nil` if no group has that name.
    package func group(_ nameOrNumber: String) -> UInt32? {
        Self.number(nameOrNumber) ?? lookUpGroup(nameOrNumber)
    }

    /// Parses a number. 2^32 - 1 is no valid number, because it means "no user" to the kernel.
    private static func number(_ text: String) -> UInt32? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt32(text).flatMap { $0 == .max ? nil : $0 }
    }

    /// The largest size of a passwd or group entry in bytes. A user or group with a larger entry is treated as absent.
    private static let entryBytesMax = 1 << 20

    private static func systemUser(_ name: String) -> UInt32? {
        withGrowingBuffer { buffer, bytes in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let failure = getpwnam_r(name, &entry, buffer, bytes, &found)
            return (failure, found == nil ? nil : entry.pw_uid)
        }
    }

    private static func systemGroup(_ name: String) -> UInt32? {
        withGrowingBuffer { buffer, bytes in
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            let failure = getgrnam_r(name, &entry, buffer, bytes, &found)
            return (failure, found == nil ? nil : entry.gr_gid)
        }
    }

    private static func withGrowingBuffer(
        _ lookUp: (UnsafeMutablePointer<CChar>, Int) -> (failure: Int32, number: UInt32?)
    ) -> UInt32? {
        var bytes = 4_096
        while bytes <= entryBytesMax {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes)
            defer { buffer.deallocate() }
            let (failure, number) = lookUp(buffer, bytes)
            if failure != ERANGE {
                return number
            }
            bytes *= 4
        }
        return nil
    }
}
