import PortolanCrypto
import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

/// The handshakes of Protocol/vectors: each side that the vector describes is played by the machine, with the keys of
/// the vector; its output must be the transcript's bytes, and its result the vector's outcome.
@Suite struct HandshakeVectorTests {
    @Test(arguments: [false, true]) func handshakes(dripping: Bool) throws {
        for vector in try VectorFile.all(ofKind: "handshake") {
            var sides: [HandshakeSide] = []
            if let initiator = try vector.optional("initiator") {
                sides.append(try HandshakeSide(.initiator, initiator))
            }
            if let responder = try vector.optional("responder") {
                sides.append(try HandshakeSide(.responder, responder))
            }
            var flights: [(from: String, bytes: [UInt8])] = []
            for flight in try vector.objects("transcript") {
                flights.append((try flight.text("from"), try flight.bytes("bytes")))
            }
            let outcome = try vector.object("outcome")
            let established = try outcome.optional("established").map(HandshakeResult.init)
            let victim = try outcome.optionalText("by")
            let refusal = try outcome.optionalText("refused")
            let reply = outcome.has("reply") ? try outcome.bytes("reply") : []
            let closed = outcome.has("closed") ? try outcome.flag("closed") : false
            if outcome.has("undecided") { #expect(try outcome.flag("undecided")) }
            for side in sides {
                let heard = flights.filter { $0.from != side.label }.map(\.bytes)
                let result = side.play(hearing: heard, closed: closed, dripping: dripping)
                let place = Comment("\(vector.path), \(side.label)")
                if let established {
                    #expect(result.error == nil, place)
                    #expect(result.said == flights.filter { $0.from == side.label }.map(\.bytes), place)
                    try established.check(result.end, side.role)
                } else if victim == side.label {
                    let error = try #require(result.error, place)
                    #expect(Self.name(error) == refusal, place)
                    #expect(error.reply == reply, place)
                    #expect(result.end.keys == nil, place)
                } else if victim == nil, side.role == .initiator {
                    #expect(result.error == nil && result.end.isDeciding, place)
                }
            }
        }
    }

    private static func name(_ error: HandshakeError) -> String {
        switch error.kind {
        case .notPortolan: "not_portolan"
        case .versionRefused: "version_refused"
        case .versionUnknown: "version_unknown"
        case .forged: "forged"
        case .unproven: "unproven"
        case .ownKey: "own_key"
        case .refused: "refused"
        case .notAdmitted: "not_admitted"
        case .wrongCode, .wrongGuess: "wrong_code"
        case .cut: "cut"
        case .violation(let violation): snake(violation.kind.rawValue)
        }
    }
}
