import Foundation
import Testing

@testable import StoreBasics

@Suite struct HistoryIDTests {
    @Test func `an id is read from its bytes and its text, and from no input of another length`() throws {
        let bytes = (1...16).map(UInt8.init)
        let id = try #require(HistoryID(bytes: bytes))
        #expect(id.bytes == bytes)
        #expect(id.description == "0102030405060708090a0b0c0d0e0f10")
        #expect(HistoryID(id.description) == id)
        #expect(HistoryID(bytes: bytes.dropLast()) == nil && HistoryID(bytes: bytes + [1]) == nil)
        #expect(HistoryID("") == nil && HistoryID("0x") == nil && HistoryID(String(id.description.dropLast(2))) == nil)
        let data = try JSONEncoder().encode([id])
        #expect(try JSONDecoder().decode([HistoryID].self, from: data) == [id])
    }

    @Test func `random ids differ, and none is the id that stands for no store`() {
        let ids = Set((0..<1_000).map { _ in HistoryID.random() })
        #expect(ids.count == 1_000 && !ids.contains(.none))
    }
}
