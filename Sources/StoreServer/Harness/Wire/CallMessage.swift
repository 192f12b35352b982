import StoreBasics
import StoreEngine
import StoreProtocol

/// Reads the fields of a message that is decoded by hand. Faults are reported as errors of the protocol.
struct CallMessage {
    private var reader: ProtobufReader

    var buffer: UnsafeRawBufferPointer { reader.buffer }

    /// The end of the field that `next` returned last.
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

    /// Accepts a field that this version does not know, which is then dropped. Throws if the field is known, because
    /// then it has the wrong wire type.
    func expectUnknown(_ field: ProtobufReader.Field, known: ClosedRange<UInt32>) throws(StoreError) {
        guard !known.contains(field.number) else { throw .malformedCall }
    }
}
