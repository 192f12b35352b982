import ReplicaModel
import Testing

@Suite struct ReplicaChannelTests {
    @Test(arguments: [
        "device.0123456789abcdef", "snapshot.0123456789abcdef0123456789abcdef",
        "join.0123456789abcdef0123456789abcdef.request", "join.0123456789abcdef0123456789abcdef.welcome",
    ])
    func `exactly the channel names of the protocol are accepted`(name: String) {
        #expect(ReplicaChannel(text: name)?.text == name)
        for wrong in [name + ".", name + "0", name.uppercased(), String(name.dropLast()), name + ".>", "x." + name] {
            #expect(ReplicaChannel(text: wrong) == nil, "\(wrong)")
        }
    }
}
