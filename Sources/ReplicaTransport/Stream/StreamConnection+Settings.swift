import CNats

/// The result of preparing the group's stream.
package enum StreamPresence: Sendable, Hashable {
    case made
    /// The stream existed. Harmless differences from the settings were left unchanged.
    case there([StreamDifference])
    /// The stream existed and was changed to match the settings.
    case changed([StreamDifference])
}

extension StreamConnection {
    /// Creates the stream if it does not exist, and checks an existing one.
    ///
    /// - Parameter adjusts: if true, the numeric settings of an existing stream are changed to match `settings`.
    /// - Throws: `TransportError`; with code `.streamDiffers` for a stream that would lose, change or hide messages.
    package func prepareStream(
        _ settings: StreamSettings, adjusts: Bool = false
    ) async throws(TransportError) -> StreamPresence {
        try await queue.run { () throws(TransportError) in
            try self.prepareStreamBlocking(settings, adjusts: adjusts)
        }
    }

    private func prepareStreamBlocking(
        _ settings: StreamSettings, adjusts: Bool
    ) throws(TransportError) -> StreamPresence {
        guard let differences = try streamDifferences(settings) else {
            // Another device may create the stream at the same time, with the same settings or others.
            do throws(TransportError) {
                try put(settings, js_AddStream, "the stream could not be created")
                return .made
            } catch {
                guard error.code == .streamDiffers, let differences = try streamDifferences(settings) else {
                    throw error
                }
                return .there(try refusing(differences))
            }
        }
        _ = try refusing(differences)
        guard adjusts, !differences.isEmpty else { return .there(differences) }
        try put(settings, js_UpdateStream, "the stream could not be changed")
        return .changed(differences)
    }

    private func refusing(_ differences: [StreamDifference]) throws(TransportError) -> [StreamDifference] {
        let refused = differences.filter { $0.setting == nil }
        guard refused.isEmpty else {
            throw TransportError(
                .streamDiffers,
                "the existing stream cannot be used: \(refused.map(\.description).joined(separator: ", "))"
                    + "; hint: set another stream.name on all devices")
        }
        return differences
    }

    /// Returns the differences of the existing stream from the settings; `nil` if the stream does not exist.
    private func streamDifferences(_ settings: StreamSettings) throws(TransportError) -> [StreamDifference]? {
        var information: UnsafeMutablePointer<jsStreamInfo>?
        var code = jsErrCode(rawValue: 0)
        let status = js_GetStreamInfo(&information, context, settings.name, nil, &code)
        defer { jsStreamInfo_Destroy(information) }
        if status == NATS_NOT_FOUND || code == JSStreamNotFoundErr {
            return nil
        }
        guard status == NATS_OK, let found = information?.pointee.Config?.pointee else {
            throw TransportError(status, error: code, "the stream could not be examined")
        }
        return settings.differences(from: found)
    }

    private typealias Put = (
        UnsafeMutablePointer<UnsafeMutablePointer<jsStreamInfo>?>?, OpaquePointer?,
        UnsafeMutablePointer<jsStreamConfig>?, UnsafeMutablePointer<jsOptions>?, UnsafeMutablePointer<jsErrCode>?
    ) -> natsStatus

    private func put(_ settings: StreamSettings, _ call: Put, _ action: String) throws(TransportError) {
        var code = jsErrCode(rawValue: 0)
        let status = settings.withConfiguration { call(nil, context, &$0, nil, &code) }
        guard status == NATS_OK else { throw TransportError(status, error: code, action) }
    }
}

extension StreamSettings {
    fileprivate func withConfiguration(_ body: (inout jsStreamConfig) -> natsStatus) -> natsStatus {
        name.withCString { name in
            allSubjects.withCString { subject in
                var subjects: UnsafePointer<CChar>? = subject
                return withUnsafeMutablePointer(to: &subjects) { subjects in
                    var configuration = jsStreamConfig()
                    jsStreamConfig_Init(&configuration)
                    configuration.Name = name
                    configuration.Subjects = subjects
                    configuration.SubjectsLen = 1
                    configuration.Storage = js_FileStorage
                    configuration.Retention = js_LimitsPolicy
                    configuration.Replicas = Int64(replicas)
                    configuration.MaxMsgSize = Int32(clamping: messageBytesMax)
                    configuration.MaxBytes = bytesMax ?? -1
                    configuration.MaxAge = ageMax?.nanoseconds ?? 0
                    configuration.Duplicates = duplicateWindow.nanoseconds
                    // A full stream rejects new messages instead of dropping old ones that a device may not have
                    // received.
                    configuration.Discard = js_DiscardNew
                    configuration.DenyDelete = true
                    configuration.DenyPurge = true
                    // Allow direct reads, with which the first message of a subject and messages by their number are
                    // found.
                    configuration.AllowDirect = true
                    return body(&configuration)
                }
            }
        }
    }

    fileprivate func differences(from found: jsStreamConfig) -> [StreamDifference] {
        let subjects = (0..<Int(max(0, found.SubjectsLen))).map { index in
            found.Subjects?[index].map { String(cString: $0) } ?? ""
        }
        let isOfOthers = found.Mirror != nil || found.SourcesLen > 0
        let musts: [(Bool, String)] = [
            (found.Storage == js_FileStorage, "the stream is not stored in files"),
            (found.Retention == js_LimitsPolicy, "the retention policy is not 'limits'"),
            (found.Discard == js_DiscardNew, "the stream drops old messages when it is full"),
            (found.DenyDelete, "clients can delete messages of the stream"),
            (found.DenyPurge, "clients can purge the stream"),
            (found.AllowDirect, "clients cannot read single messages directly (allow_direct is off)"),
            (!found.NoAck && !found.Sealed, "the stream does not accept messages, or does not acknowledge them"),
            (found.MaxMsgs <= 0 && found.MaxMsgsPerSubject <= 0, "the stream limits the number of messages"),
            (
                subjects == [allSubjects] && !isOfOthers,
                "the stream copies another stream, or has other subjects than \(allSubjects)"
            ),
            (
                found.Duplicates >= Duration.seconds(120).nanoseconds,
                "the stream detects duplicates for less than 2 minutes"
            ),
        ]
        let numbers: [(StreamDifference.Setting, Int64, Int64)] = [
            (.replicas, found.Replicas, Int64(replicas)),
            (.messageBytesMax, Int64(found.MaxMsgSize), Int64(messageBytesMax)),
            (.bytesMax, max(0, found.MaxBytes), bytesMax ?? 0),
            (.ageMax, found.MaxAge / 1_000_000_000, (ageMax?.nanoseconds ?? 0) / 1_000_000_000),
            (.duplicateWindow, found.Duplicates / 1_000_000_000, duplicateWindow.nanoseconds / 1_000_000_000),
        ]
        return musts.filter { !$0.0 }.map { StreamDifference(setting: nil, description: $0.1) }
            + numbers.filter { $0.1 != $0.2 }.map { setting, found, wanted in
                StreamDifference(
                    setting: setting,
                    description: "\(setting.rawValue) is \(found) in the stream, but \(wanted) in the configuration")
            }
    }
}
