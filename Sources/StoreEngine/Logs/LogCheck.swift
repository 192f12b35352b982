import Interchange
import SQLCipher

/// Holds the messages of every log against what its configuration allows.
enum LogCheck {
    /// - Returns: the number of messages, and the number of logs whose messages have a gap, overlap, or lie outside.
    static func run(_ connection: Connection) throws(SQLCipherError) -> (messages: Int, wrongLogs: Int) {
        let messages = Int(try connection.integer("SELECT count(*) FROM log_entries") ?? 0)
        return (messages, Int(try connection.integer(wrongLogs) ?? 0))
    }

    /// Sequence numbers without gaps, positions that add up, and offsets that follow each other or start over.
    private static let wrongLogs = """
        SELECT count(*) FROM logs AS l WHERE EXISTS (
            SELECT 1 FROM log_entries AS e WHERE e.log = l.number AND (
                e.offset < \(CacheAdvanceLayout.headerBytes)
                OR e.offset + \(CacheAdvanceLayout.lengthBytes) + length(e.data) > l.maximum_bytes
                OR (e.sequence < (SELECT max(sequence) FROM log_entries WHERE log = l.number) AND NOT EXISTS (
                    SELECT 1 FROM log_entries AS f WHERE f.log = e.log AND f.sequence = e.sequence + 1
                        AND f.position = e.position + \(CacheAdvanceLayout.lengthBytes) + length(e.data)
                        AND f.offset IN (e.offset + \(CacheAdvanceLayout.lengthBytes) + length(e.data),
                            \(CacheAdvanceLayout.headerBytes))))))
        """
}
