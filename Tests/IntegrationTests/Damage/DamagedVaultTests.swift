import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// The rule for damage to the host files of a vault: reading a chunk that has changed fails with a specific error, the
/// check reports exactly the damaged files, and everything else can still be read and written.
///
/// The tests damage many files, each in one way, while the daemon is stopped, so that one daemon covers many cases.
@Suite(.oneAtATime) struct DamagedVaultTests {
    private typealias Case = (victim: VaultVictim, damaged: Set<Int>, what: String)
    private static let all = Set(0..<8)

    /// Flips a bit in every byte of the header (in a short test run in every fifth), and in several bytes of every
    /// chunk. The contents have several sizes.
    @Test(arguments: [false, true])
    func `a flipped bit damages its chunk, or every chunk if it is in the header`(isAttached: Bool) async throws {
        try await withDaemon { daemon in
            let victims = try await VaultVictims(daemon)
            func make(_ byteCount: Int) async throws -> VaultVictim {
                try await isAttached ? victims.attachment(byteCount) : victims.file(byteCount)
            }
            var cases: [(victim: VaultVictim, place: Int, damaged: Set<Int>)] = []
            for byte in stride(from: 0, to: VaultVictim.headerBytes, by: isAttached ? 9 : TestTier.count(5, long: 1)) {
                cases.append((try await make(65_537), byte, [0, 1]))
            }
            for byteCount in isAttached ? [131_072] : [65_537, 131_072, 300_000] {
                for chunk in 0..<VaultVictim.chunkCount(byteCount) {
                    let slot = try await make(byteCount)
                    for place in Self.places(in: slot.slot(chunk), slot.overheadBytes) {
                        cases.append((try await make(byteCount), place, [chunk]))
                    }
                    cases.append((slot, slot.slot(chunk).upperBound - 1, [chunk]))
                }
            }
            // The daemon's report of a check contains at most 100 files.
            for first in stride(from: 0, to: cases.count, by: 90) {
                let part = cases[first..<min(first + 90, cases.count)]
                try await victims.whileStopped {
                    for (index, (victim, place, _)) in part.enumerated() {
                        var bytes = victim.sealed
                        bytes[place] ^= 1 << UInt8((index + place) % 8)
                        try victim.put(bytes)
                    }
                }
                try await victims.expect(part.map { ($0.victim, $0.damaged, "byte \($0.place)") })
                try await victims.whileStopped {
                    for (victim, _, _) in part {
                        try victim.put(victim.sealed)
                    }
                }
            }
            try await victims.expect(cases.map { ($0.victim, [], "put back") })
            try await victims.removeAll(cases.map(\.victim))
        }
    }

    /// Returns the first and last byte of the nonce, the first and the middle byte of the ciphertext, and the first
    /// byte of the authenticator.
    private static func places(in slot: Range<Int>, _ overheadBytes: Int) -> Set<Int> {
        let nonceBytes = overheadBytes - 16
        return [
            slot.lowerBound, slot.lowerBound + nonceBytes - 1, slot.lowerBound + nonceBytes,
            slot.lowerBound + slot.count / 2, slot.upperBound - 16,
        ]
    }

    @Test func `truncated, removed, exchanged and recombined files are found`() async throws {
        try await withDaemon { daemon in
            let victims = try await VaultVictims(daemon)
            var cases: [Case] = []
            var damages: [() throws -> Void] = []
            /// - Parameter bytes: returns the bytes that replace the victim's file.
            func add(
                _ victim: VaultVictim, _ what: String, _ damaged: Set<Int>, _ bytes: @escaping ([UInt8]) -> [UInt8]
            ) {
                cases.append((victim, damaged.intersection(0..<victim.chunkCount), what))
                damages.append { try victim.put(bytes(victim.sealed)) }
            }
            for size in [65_537, 200_000, 262_144] {
                for make in [victims.file, victims.attachment] {
                    let last = VaultVictim.chunkCount(size) - 1
                    add(try await make(size), "one byte less", [last]) { $0.dropLast() }
                    let cut = try await make(size)
                    add(cut, "cut behind the first chunk", Self.all.subtracting([0])) {
                        Array($0[..<cut.slot(0).upperBound])
                    }
                    add(try await make(size), "a header alone", Self.all) { Array($0[..<VaultVictim.headerBytes]) }
                    add(try await make(size), "empty", Self.all) { _ in [] }
                    add(try await make(size), "longer", []) { $0 + [1, 2, 3] }
                    let (one, other) = (try await make(size), try await make(size))
                    add(one, "exchanged whole with another", Self.all) { _ in other.sealed }
                    add(other, "exchanged whole with another", Self.all) { _ in one.sealed }
                    let (giver, taker) = (try await make(size), try await make(size))
                    add(giver, "untouched", []) { $0 }
                    add(taker, "a chunk of another in its place", [0]) { sealed in
                        Self.replaced(sealed, taker.slot(0), by: giver.sealed[giver.slot(0)])
                    }
                }
            }
            for make in [victims.file, victims.attachment] {
                let swapped = try await make(262_144)
                add(swapped, "two of its chunks exchanged", [1, 2]) { sealed in
                    let first = Self.replaced(sealed, swapped.slot(1), by: sealed[swapped.slot(2)])
                    return Self.replaced(first, swapped.slot(2), by: sealed[swapped.slot(1)])
                }
                let removed = try await make(200_000)
                cases.append((removed, [0, 1, 2, 3], "removed"))
                damages.append { #expect(unlink(removed.hostPath) == 0) }
                let linked = try await make(200_000)
                cases.append((linked, [0, 1, 2, 3], "a link to what it was"))
                damages.append {
                    #expect(rename(linked.hostPath, linked.hostPath + ".moved") == 0)
                    #expect(symlink(linked.hostPath + ".moved", linked.hostPath) == 0)
                }
            }
            try await victims.whileStopped {
                for damage in damages {
                    try damage()
                }
            }
            try await victims.expect(cases)
            for (victim, _, _) in cases {
                unlink(victim.hostPath + ".moved")
            }
            try await victims.removeAll(cases.map(\.victim))
        }
    }

    @Test func `older versions of a file and of its chunks are found`() async throws {
        try await withDaemon { daemon in
            let victims = try await VaultVictims(daemon)
            var cases: [Case] = []
            var damages: [() throws -> Void] = []
            for size in [140_000, 262_144] {
                let before = try await victims.file(size)
                let after = try await victims.overwritten(before, at: VaultVictim.chunkBytes + 7, 1_000)
                cases.append((after, [1], "the older file of \(size) bytes"))
                damages.append { try after.put(before.sealed) }

                let old = try await victims.file(size)
                let new = try await victims.overwritten(old, at: VaultVictim.chunkBytes, 20)
                // The new chunk is at the end of the file, because no other place for a chunk was free.
                let slot = VaultVictim.headerBytes + old.chunkCount * old.slotBytes
                #expect(new.sealed.count == slot + old.slotBytes)
                cases.append((new, [1], "the older chunk of \(size) bytes"))
                damages.append {
                    let chunk = old.sealed[old.slot(1)]
                    try new.put(Self.replaced(new.sealed, slot..<new.sealed.count, by: chunk))
                }
            }
            try await victims.whileStopped {
                for damage in damages {
                    try damage()
                }
            }
            try await victims.expect(cases)
            try await victims.removeAll(cases.map(\.victim))
        }
    }

    private static func replaced(_ bytes: [UInt8], _ range: Range<Int>, by other: ArraySlice<UInt8>) -> [UInt8] {
        Array(bytes[..<range.lowerBound]) + Array(other.prefix(range.count)) + Array(bytes.dropFirst(range.upperBound))
    }
}
