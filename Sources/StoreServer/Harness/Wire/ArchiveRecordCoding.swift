import StoreBasics
import StoreEngine

/// Encodes records of archives as protobuf (archives.proto), with scene values in their canonical form.
struct ArchiveRecordCoding: ArchiveCoding {
    func encode(_ entry: ArchiveEntry) -> [UInt8] { entry.bytes }

    func decode(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> ArchiveEntry {
        var entry = try ArchiveEntry(bytes: bytes)
        guard case .sceneValue(var value) = entry.record else { return entry }
        do throws(StoreError) {
            value.value = try value.value.withUnsafeBufferPointer { (buffer) throws(StoreError) in
                try SceneValueForm.canonical(UnsafeRawBufferPointer(buffer), 0..<buffer.count)
            }
        } catch {
            throw .invalidArgument(error.message)
        }
        entry.record = .sceneValue(value)
        return entry
    }
}
