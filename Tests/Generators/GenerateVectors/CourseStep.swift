/// Record of a course, or several equal ones.
struct CourseStep: Sendable {
    enum Part: Sendable {
        case bytes([UInt8])
        case repeated([UInt8], Int)

        fileprivate var json: Any {
            switch self {
            case .bytes(let bytes): hex(bytes)
            case .repeated(let bytes, let count): Repetition(of: bytes, count).json
            }
        }
    }

    let from: String
    private let type: UInt8
    private let parts: [Part]
    private var count = 1

    static func initiator(_ bytes: [UInt8], type: UInt8 = 1) -> CourseStep {
        CourseStep(from: "initiator", type: type, parts: [.bytes(bytes)])
    }

    static func responder(_ bytes: [UInt8], type: UInt8 = 1) -> CourseStep {
        CourseStep(from: "responder", type: type, parts: [.bytes(bytes)])
    }

    static func responder(parts: [Part]) -> CourseStep { CourseStep(from: "responder", type: 1, parts: parts) }

    static let initiatorEnds = CourseStep.initiator([], type: 3)
    static let responderEnds = CourseStep.responder([], type: 3)

    func times(_ count: Int) -> CourseStep {
        var steps = self
        steps.count = count
        return steps
    }

    /// The side that reads it.
    var reader: String { from == "initiator" ? "responder" : "initiator" }

    var json: [String: Any] {
        let plaintext: Any = parts.count == 1 ? parts[0].json : parts.map(\.json)
        let step: [String: Any] = ["from": from, "type": Int(type), "plaintext": plaintext]
        return count == 1 ? step : ["repeat": count, "step": step, "counters": [] as [Any]]
    }
}

extension Scenario {
    /// Session of two sides without a common team.
    ///
    /// - Parameters:
    ///   - refused: word with which the last step is refused; nil if all is accepted.
    ///   - by: the only side that is to be played; nil for both, or for the reader of a refused step.
    static func course(
        _ name: String, _ steps: [CourseStep], refused: String? = nil, by: String? = nil, _ comment: String
    ) -> Scenario {
        let outcome: [String: Any] =
            if let refused {
                ["by": steps[steps.count - 1].reader, "refused": refused]
            } else {
                (["accepted": true] as [String: Any]).with("by", by)
            }
        return Scenario("course-" + name, kind: "course", comment, ["steps": steps.map(\.json), "outcome": outcome])
    }
}
