import PortolanProtocol
import TestSupport
import Testing

/// The questions of Protocol/vectors, played by the machines of a requester and a holder.
@Suite struct QuestionVectorTests {
    @Test func questionsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "questions") {
            let steps = try vector.objects("steps").map { step in
                (from: try step.text("from"), message: try Message(decoding: step.bytes("plaintext")))
            }
            let outcome = try vector.object("outcome")
            if outcome.has("refused") {
                let (by, kind) = (try outcome.text("by"), try outcome.name("refused", ProtocolViolation.Kind.self))
                var play = QuestionPlay(sides: [by])
                for step in steps.dropLast() { try play.take(step.message, from: step.from) }
                let last = try #require(steps.last)
                #expect(last.from != by, "\(vector.path)")
                #expect(violation { try play.take(last.message, from: last.from) } == kind, "\(vector.path)")
            } else {
                let unanswered = Set(try outcome.texts("unanswered").compactMap { UInt64($0) })
                var play = QuestionPlay(sides: ["requester", "holder"])
                for step in steps { try play.take(step.message, from: step.from) }
                #expect(play.requesting.unanswered == unanswered.count, "\(vector.path)")
                #expect(play.serving.unanswered == unanswered.count && play.open == unanswered, "\(vector.path)")
            }
        }
    }
}

/// Side of a session's questions, or both sides. The other side's messages come from the vector.
private struct QuestionPlay {
    let sides: Set<String>
    var requesting = RequestingMachine()
    var serving = ServingMachine()
    /// Numbers of questions without an answer.
    var open: Set<UInt64> = []

    init(sides: Set<String>) { self.sides = sides }

    mutating func take(_ message: Message, from side: String) throws {
        switch message {
        case .list(let list):
            if sides.contains("requester") { #expect(requesting.list(after: list.after, most: list.most) == list) }
            if sides.contains("holder") { try serving.receive(list) }
            open.insert(list.id)
        case .request(let request):
            if sides.contains("requester") { #expect(requesting.request(request.item) == request) }
            if sides.contains("holder") { try serving.receive(request) }
            open.insert(request.id)
        case .listing(let listing):
            if sides.contains("requester") { try requesting.receive(listing) }
            answered(listing.id)
        case .refusal(let refusal):
            if sides.contains("requester") { try requesting.receive(refusal) }
            answered(refusal.id)
        case .offer(let offer):
            let id = try #require(offer.request)
            if sides.contains("requester") { try requesting.receiveOffer(answering: id) }
            answered(id)
        default: throw VectorError("Neither a question nor an answer")
        }
        let expected = if case .serving = message.route { "requester" } else { "holder" }
        #expect(side == expected)
    }

    private mutating func answered(_ id: UInt64) {
        open.remove(id)
        if sides.contains("holder") { serving.answered(id) }
    }
}
