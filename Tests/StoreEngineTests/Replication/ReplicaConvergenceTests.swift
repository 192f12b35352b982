import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct ReplicaConvergenceTests {
    private static let kinds: [RandomEdits.Kind] = [
        .contact, .conversation, .message, .messageAgain, .edit, .status, .read, .deleteMessage, .react, .draft, .value,
        .scene, .removeOther, .moveMessage, .file, .largeFile, .directory, .move, .copy, .removeFile, .moveTree,
        .log, .append, .append,
    ]

    /// Tests groups of two to five devices: the seed determines the number of devices.
    @Test(arguments: ReplicaSeeds.range(4, long: 8))
    func `all devices have the same content after every batch has arrived everywhere`(seed: Int) throws {
        let fleet = try ReplicaFleet(deviceCount: 2 + seed % 4, seed: UInt64(seed), kinds: Self.kinds)
        try fleet.live(rounds: 150)
        try fleet.settle()
        // If a store has released a content and a later change refers to it again, the store must request it. It asks
        // one other device at a time, and asks the next one if no answer comes for hours.
        try fleet.passAnswerTimes()
        let first = try fleet.content(0)
        #expect(!first.isEmpty)
        for index in fleet.devices.indices.dropFirst() {
            let other = try fleet.content(index)
            #expect(Set(other).subtracting(first).sorted() == [], "device \(index) has what the first has not")
            #expect(Set(first).subtracting(other).sorted() == [], "the first has what device \(index) has not")
            #expect(try fleet.order(index) == fleet.order(0), "device \(index) lists messages in another order")
            #expect(try fleet.logs(index) == fleet.logs(0), "device \(index) has entries of logs in another order")
        }
        for (index, device) in fleet.devices.enumerated() {
            for table in ["replica_wanted_files", "replica_untold_paths"] {
                #expect(try device.engine.rowCount(of: table) == 0, "device \(index) waits for something: \(table)")
            }
            #expect(try expectClean(device.engine) == [])
        }
    }
}
