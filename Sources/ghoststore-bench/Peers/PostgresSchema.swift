/// The tables and scripts that make PostgreSQL do what one save and one list do here.
enum PostgresSchema {
    static func tables(conversations: Int, messages: Int) -> String {
        """
        CREATE TABLE conversations (
            number integer PRIMARY KEY,
            session_id text NOT NULL UNIQUE,
            message_count bigint NOT NULL DEFAULT 0,
            unread_count bigint NOT NULL DEFAULT 0,
            last_message_at bigint NOT NULL DEFAULT 0,
            last_activity_at bigint NOT NULL DEFAULT 0
        );
        CREATE INDEX conversations_by_activity ON conversations (last_activity_at);
        CREATE SEQUENCE message_number;
        CREATE TABLE messages (
            id text PRIMARY KEY,
            conversation integer NOT NULL REFERENCES conversations (number),
            timestamp bigint NOT NULL,
            text text NOT NULL,
            sender text NOT NULL,
            recipient text NOT NULL,
            status smallint NOT NULL,
            is_outgoing boolean NOT NULL,
            is_read boolean NOT NULL,
            attachment_url text,
            attachment_type text,
            reply_to text,
            created_at bigint NOT NULL,
            edited_at bigint
        );
        CREATE INDEX messages_by_conversation ON messages (conversation, timestamp, id);
        CREATE TABLE sample_texts (number integer PRIMARY KEY, text text NOT NULL);
        INSERT INTO sample_texts VALUES \(sampleTexts);
        INSERT INTO conversations (number, session_id)
            SELECT n, 'bench-01234567-' || lpad(n::text, 7, '0') FROM generate_series(0, \(conversations + 255)) AS n;
        INSERT INTO messages
            SELECT \(messageID("nextval('message_number')")), n % \(conversations), 1760000000000000 + n, s.text,
                'bench-01234567-' || lpad((n % \(conversations))::text, 7, '0'), 'bench-own-session', 1, n % 2 = 0,
                false, NULL, NULL, NULL, 1760000000000000 + n, NULL
            FROM generate_series(0, \(messages - 1)) AS n
            JOIN sample_texts AS s ON s.number = n % \(SampleTexts.all.count) ORDER BY n;
        VACUUM ANALYZE;
        CHECKPOINT;

        """
    }

    /// Insert a message and update its conversation, in one statement and so in one transaction; each client has a
    /// conversation of its own.
    static func save(conversations: Int) -> String {
        """
        \\set conversation \(conversations) + :client_id
        \\set now random(1770000000000000, 1780000000000000)
        WITH touched AS (
            UPDATE conversations SET message_count = message_count + 1, last_message_at = :now, last_activity_at = :now
            WHERE number = :conversation RETURNING number
        )
        INSERT INTO messages
            SELECT \(messageID("nextval('message_number')")), touched.number, :now, '\(SampleTexts.all[1])',
                'bench-own-session', 'bench-01234567-0000000', 1, true, false, NULL, NULL, NULL, :now, NULL
            FROM touched;

        """
    }

    static func list(conversations: Int) -> String {
        """
        \\set conversation random(0, \(conversations - 1))
        SELECT * FROM messages WHERE conversation = :conversation ORDER BY timestamp DESC, id DESC LIMIT 100;

        """
    }

    /// 36 characters in time order, as a UUIDv7 has.
    private static func messageID(_ number: String) -> String {
        "'019a0000-0000-7000-8000-' || lpad(to_hex(\(number)), 12, '0')"
    }

    private static var sampleTexts: String {
        SampleTexts.all.enumerated().map { number, text in "(\(number), '\(text)')" }.joined(separator: ", ")
    }
}
