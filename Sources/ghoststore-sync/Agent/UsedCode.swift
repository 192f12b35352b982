import Logging
import ReplicaModel

extension ReplicaChannel {
    /// True if the channel has the request or the answer of an invitation.
    var isOfJoin: Bool {
        switch self {
        case .joinRequest, .joinWelcome: true
        case .device, .snapshot: false
        }
    }
}

extension Logger {
    /// Logs that an invitation admits no device any more. This is no attack: usually a person has typed an old code.
    func reportUsedCode(_ channel: ReplicaChannel) {
        warning(
            "a device cannot join with this code: the code has expired, or another device has used it",
            metadata: ["channel": "\(channel.text)"])
    }
}
