import StoreBasics
import Testing

@Suite struct MessageFormTests {
    private struct Inner: FieldMessage, Hashable {
        var number: UInt64 = 0

        mutating func describe(_ form: inout MessageForm) throws {
            try form.field(1, &number)
            try form.expect(number != 13)
        }
    }

    private struct Outer: FieldMessage, Hashable {
        var name = ""
        var text: String?
        var flag = false
        var time: Timestamp?
        var count: UInt8 = 0
        var inner: Inner?
        var list: [Inner] = []
        var others: [UInt8] = []

        mutating func describe(_ form: inout MessageForm) throws {
            if !form.isBody { try form.field(1, &name) }
            try form.field(2, &text)
            try form.field(3, &flag)
            try form.field(4, &time)
            try form.field(5, &count)
            try form.field(6, &inner)
            try form.field(7, &list)
            form.others(&others)
        }
    }

    private static let full = Outer(
        name: "name", text: "", flag: true, time: Timestamp(microseconds: -1), count: 255, inner: Inner(),
        list: [Inner(number: 1), Inner()])

    private func read(_ bytes: [UInt8], isBody: Bool = false) throws -> (message: Outer, unknown: [UInt8]) {
        var message = Outer()
        let unknown = try bytes.withUnsafeBytes { try message.read($0, isBody: isBody) }
        return (message, unknown)
    }

    @Test func `a message is read back as written, and an empty message has no bytes`() throws {
        #expect(try read(Self.full.encoded()).message == Self.full)
        #expect(Outer().encoded().isEmpty)
        #expect(try read([]).message == Outer())
    }

    @Test func `a message is encoded as in protobuf`() {
        let message = Outer(name: "ab", text: "", flag: true, count: 3, inner: Inner(number: 300))
        #expect(message.encoded() == [10, 2, 97, 98, 18, 0, 24, 1, 40, 3, 50, 3, 8, 0xAC, 2])
    }

    @Test func `fields of a later version are kept and written again`() throws {
        var later: [UInt8] = []
        later.append(field: 900, present: "later")
        let (message, unknown) = try read(later + Self.full.encoded())
        #expect(unknown == later && message.others == later)
        #expect(message.encoded() == Self.full.encoded() + later)
    }

    @Test func `a body lacks the field that is stored beside it, and treats it as unknown`() throws {
        let body = Self.full.encoded(isBody: true)
        #expect(try read(body, isBody: true).message.name == "")
        let (_, unknown) = try read(Self.full.encoded(), isBody: true)
        #expect(unknown == [10, 4] + Array("name".utf8))
    }

    @Test func `repeated fields of a nested message are merged into one`() throws {
        let first = Outer(text: "a", inner: Inner(number: 7), list: [Inner(number: 1)]).encoded()
        let (message, _) = try read(first + Outer(text: "b", inner: Inner(), list: [Inner(number: 2)]).encoded())
        #expect(message.text == "b" && message.inner == Inner(number: 7))
        #expect(message.list == [Inner(number: 1), Inner(number: 2)])
    }

    @Test(
        arguments: [
            // In this order: a known field of another kind, a number that is too large, a nested message with a refused
            // value, and a text that is cut off.
            [8, 1], [40, 0x80, 2], [50, 2, 8, 13], [10, 4, 97],
        ] as [[UInt8]])
    func `bytes that are not a message of the described form are refused`(_ bytes: [UInt8]) {
        #expect(throws: ProtobufFault.self) { try read(bytes) }
    }
}
