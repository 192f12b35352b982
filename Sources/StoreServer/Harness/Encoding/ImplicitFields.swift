internal import StoreProtocol

// Fields with proto3's implicit presence: nothing is written for the default value.

@inline(__always)
func textSize(_ number: UInt32, _ text: String) -> Int {
    let count = text.utf8.count
    return count == 0 ? 0 : ProtobufSize.bytesField(number, count: count)
}

@inline(__always)
func integerSize(_ number: UInt32, _ value: Int64) -> Int {
    value == 0 ? 0 : ProtobufSize.varintField(number, UInt64(bitPattern: value))
}

@inline(__always)
func writeText(_ number: UInt32, _ text: String, to writer: inout ProtobufWriter) {
    if !text.isEmpty {
        writer.textField(number, text)
    }
}

@inline(__always)
func writeInteger(_ number: UInt32, _ value: Int64, to writer: inout ProtobufWriter) {
    if value != 0 {
        writer.varintField(number, UInt64(bitPattern: value))
    }
}
