/// All calls of v1. The raw value is the call's field number in `Request.call`.
package enum CallKind: UInt32, Hashable, Sendable, CaseIterable {
    case hello = 10
    case ping = 11
    case getStatus = 12
    case getMetrics = 13
    case cancel = 14

    case initializeStore = 30
    case unlock = 31
    case lock = 32
    case listKeySlots = 33
    case addKeySlot = 34
    case removeKeySlot = 35
    case changePassphrase = 36
    case rotateMasterKey = 37

    case getStatistics = 50
    case checkStore = 51
    case createBackup = 52
    case listBackups = 53
    case readBackup = 54
    case beginBackupUpload = 55
    case writeBackup = 56
    case verifyBackup = 57
    case restoreBackup = 58
    case deleteBackup = 59
    case clearAllData = 60

    case getOrCreateConversation = 100
    case getConversation = 101
    case listConversations = 102
    case updateConversation = 103
    case markConversationRead = 104
    case deleteConversation = 105

    case saveDraft = 110
    case getDraft = 111
    case listDrafts = 112
    case deleteDraft = 113

    case saveMessage = 120
    case saveMessages = 121
    case getMessage = 122
    case listMessages = 123
    case updateMessageStatus = 124
    case markMessagesRead = 125
    case editMessage = 126
    case deleteMessages = 127

    case addReaction = 130
    case removeReaction = 131
    case listReactions = 132

    case saveContact = 140
    case getContact = 141
    case listContacts = 142
    case deleteContact = 143
    case setContactBlocked = 144

    case listChanges = 160
    case watch = 161
    case compactChanges = 162

    case searchMessages = 170
    case searchContacts = 171
    case searchConversations = 172
    case rebuildSearchIndex = 173

    case setSceneValues = 200
    case getSceneValues = 201
    case listScenes = 202
    case removeScene = 203

    case openLog = 220
    case appendLog = 221
    case readLog = 222
    case getLog = 223
    case listLogs = 224
    case deleteLog = 225

    case beginBlobExport = 240
    case readBlobExport = 241
    case beginBlobImport = 242
    case writeBlobImport = 243
    case finishBlobImport = 244
    case endBlobSession = 245

    case createDirectory = 280
    case removeDirectory = 281
    case listFiles = 282
    case getFile = 283
    case saveFile = 284
    case appendFile = 285
    case readFile = 286
    case moveFile = 287
    case copyFile = 288
    case deleteFile = 289
    case beginFileWrite = 290
    case writeFile = 291
    case finishFileWrite = 292
    case endFileWrite = 293
    case getFileUsage = 294
    case listAttachments = 295
    case readAttachment = 296
    case getAttachmentUsage = 297
    case beginAttachmentWrite = 298

    case beginArchive = 300
    case readArchive = 301
    case beginArchiveRestore = 302
    case writeArchiveRestore = 303
    case finishArchiveRestore = 304
    case endArchiveSession = 305

    case createReplicaGroup = 310
    case inviteReplicaDevice = 311
    case joinReplicaGroup = 312
    case removeReplicaDevice = 313
    case leaveReplicaGroup = 314
    case getReplicaStatus = 315
    case takeReplicaMessages = 316
    case handInReplicaMessage = 317

    /// The field's name in service.proto, for logs and metrics.
    package var name: String {
        Self.names[self] ?? "call_\(rawValue)"
    }

    /// The index of the call in the list of all calls, for tables with a row for each.
    package var position: Int { Int(Self.positions[Int(rawValue)]) }

    /// The positions, indexed by raw value.
    private static let positions: [UInt16] = {
        var positions = [UInt16](repeating: 0, count: Int(allCases.map(\.rawValue).max() ?? 0) + 1)
        for (position, kind) in allCases.enumerated() {
            positions[Int(kind.rawValue)] = UInt16(position)
        }
        return positions
    }()

    private static let names: [CallKind: String] = {
        var names: [CallKind: String] = [:]
        for kind in allCases {
            names[kind] = snakeCase("\(kind)")
        }
        return names
    }()

    private static func snakeCase(_ camelCase: String) -> String {
        var result = ""
        for character in camelCase {
            if character.isUppercase {
                result += "_"
            }
            result += character.lowercased()
        }
        return result
    }
}
