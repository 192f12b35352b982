/// The lines of an import, understood one by one. Empty lines are passed over.
struct ImportLines {
    private let reader: LineReader

    init(_ reader: LineReader) {
        self.reader = reader
    }

    /// - Returns: `nil` at the end.
    func next() throws(CommandFailure) -> (record: ImportRecord, lineBytes: Int)? {
        while let line = try reader.next() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                continue
            }
            do throws(JSONError) {
                return (try ImportRecord.parse(line, lineNumber: reader.lineNumber), line.count)
            } catch {
                throw CommandFailure(.badData, "line \(reader.lineNumber): \(error.message)")
            }
        }
        return nil
    }
}
