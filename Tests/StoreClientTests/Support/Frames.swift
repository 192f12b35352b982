import StoreBasics

/// Returns a payload with its length before it.
func frame(of payload: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    frame.append(bigEndian: UInt32(payload.count))
    return frame + payload
}
