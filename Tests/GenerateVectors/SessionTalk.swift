import PortolanCrypto
import PortolanProtocol

/// What both sides say after the handshake, record by record, sealed.
final class SessionTalk {
    private var initiator: RecordSealer
    private var responder: RecordSealer
    private var lane: RecordSealer
    private let lanePreface: [UInt8]
    /// The records so far, as they stand in the vector.
    private(set) var said: [[String: Any]] = []

    init(_ initiatorToResponder: SecretBytes, _ responderToInitiator: SecretBytes, _ suite: RecordSuite) {
        let lanes = LaneKeys(direction: initiatorToResponder, suite: suite)
        initiator = RecordSealer(secret: initiatorToResponder, suite: suite)
        responder = RecordSealer(secret: responderToInitiator, suite: suite)
        lane = lanes.makeSealer(index: 0)
        lanePreface = lanes.preface(index: 0).encode()
    }

    private func say(_ from: String, _ type: UInt8, _ plaintext: [UInt8], lane: Int?, _ bytes: [UInt8]) {
        said.append(
            ["from": from, "type": Int(type), "plaintext": hex(plaintext), "bytes": hex(bytes)].with("lane", lane))
    }

    private static func sealed(_ sealer: inout RecordSealer, _ type: UInt8, _ plaintext: [UInt8]) -> [UInt8] {
        var record = [0, 0, 0, 0] + plaintext + [UInt8](repeating: 0, count: 16)
        record.withUnsafeMutableBytes { sealer.seal(type: type, $0) }
        return record
    }

    func initiator(_ plaintext: [UInt8], type: UInt8 = 1) {
        say("initiator", type, plaintext, lane: nil, Self.sealed(&initiator, type, plaintext))
    }

    func responder(_ plaintext: [UInt8], type: UInt8 = 1) {
        say("responder", type, plaintext, lane: nil, Self.sealed(&responder, type, plaintext))
    }

    /// The first bytes of lane 0, which are no record.
    func openLane() { said.append(["from": "initiator", "lane": 0, "bytes": hex(lanePreface)]) }

    func onLane(_ plaintext: [UInt8], type: UInt8) {
        say("initiator", type, plaintext, lane: 0, Self.sealed(&lane, type, plaintext))
    }

    func initiatorEnds() { initiator([], type: 3) }

    func responderEnds() { responder([], type: 3) }
}
