import StoreBasics
import StoreEngine
import StoreProtocol

/// The fields of one message of a call that is read by hand, with the faults of the wire.
struct CallMessage {
    private var reader: ProtobufReader

    var buffer: UnsafeRawBufferPointer { reader.buffer }

    /// Where the field that `next` gave ends.
    var offset: Int { reader.offset }

    init(_ message: UnsafeRawBufferPointer) {
        reader = ProtobufReader(message)
    }

    init(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) {
        reader = ProtobufReader(buffer, range: range)
    }

    mutating func next() throws(StoreError) -> ProtobufReader.Field? {
        do throws(ProtobufFault) {
            return try reader.next()
        } catch {
            throw .malformedCall
        }
    }

    func text(_ range: Range<Int>) throws(StoreError) -> String {
        guard let text = buffer.text(at: range) else { throw .malformedCall }
        return text
    }

    /// What v1 does not know is dropped; what it knows has its wire type.
    func expectUnknown(_ field: ProtobufReader.Field, known: ClosedRange<UInt32>) throws(StoreError) {
        guard !known.contains(field.number) else { throw .malformedCall }
    }
}
