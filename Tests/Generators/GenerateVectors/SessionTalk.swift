import PortolanCrypto
import PortolanProtocol

/// Messages of both sides after the handshake, record by record, sealed.
final class SessionTalk {
    private var initiator: RecordSealer
    private var responder: RecordSealer
    private let lanes: (initiator: LaneKeys, responder: LaneKeys)
    private var lane: OpenLane?
    /// Records so far, in the form of the vector.
    private(set) var said: [[String: Any]] = []

    /// The lane that was opened last.
    private final class OpenLane {
        let sender: NoiseRole
        let number: UInt32
        var sealer: RecordSealer

        init(of sender: NoiseRole, _ number: UInt32, _ sealer: consuming RecordSealer) {
            self.sender = sender
            self.number = number
            self.sealer = sealer
        }

        var json: [String: Any] { ["of": SessionTalk.label(sender), "number": Int(number)] }
    }

    init(_ initiatorToResponder: SecretBytes, _ responderToInitiator: SecretBytes, _ suite: RecordSuite) {
        initiator = RecordSealer(secret: initiatorToResponder, suite: suite)
        responder = RecordSealer(secret: responderToInitiator, suite: suite)
        lanes = (
            LaneKeys(direction: initiatorToResponder, suite: suite),
            LaneKeys(direction: responderToInitiator, suite: suite)
        )
    }

    private static func label(_ role: NoiseRole) -> String { role == .initiator ? "initiator" : "responder" }

    private func say(_ from: String, _ type: UInt8, _ plaintext: [UInt8], lane: [String: Any]?, _ bytes: [UInt8]) {
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

    /// Adds the preface of a lane, which is not a record, and comes from the initiator even if the responder sends on
    /// the lane.
    func openLane(of sender: NoiseRole = .initiator, number: UInt32 = 0) {
        let keys = sender == .initiator ? lanes.initiator : lanes.responder
        let lane = OpenLane(of: sender, number, keys.makeSealer(number))
        said.append(["from": "initiator", "lane": lane.json, "bytes": hex(keys.preface(number).encode())])
        self.lane = lane
    }

    func onLane(_ plaintext: [UInt8], type: UInt8) {
        guard let lane else { fatalError("No lane was opened") }
        let bytes = Self.sealed(&lane.sealer, type, plaintext)
        say(Self.label(lane.sender), type, plaintext, lane: lane.json, bytes)
    }

    func initiatorEnds() { initiator([], type: 3) }

    func responderEnds() { responder([], type: 3) }
}
