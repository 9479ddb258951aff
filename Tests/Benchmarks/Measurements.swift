import TestSupport

/// Measurements of the contestants in all rounds.
struct Measurements {
    /// Name of the contestant with targets.
    static let ours = "portolan"

    private var runs: [String: [Measurement]] = [:]
    private(set) var failures: [String: String] = [:]

    /// Runs every contestant once a round, in alternating order, so that the state of memory after one does not always
    /// affect the same next one. A contestant without its programs, or one that fails, is skipped with a note.
    ///
    /// - Parameter warmsUp: true for a round before the first, which warms the caches and does not count.
    init(
        of contestants: [any Contestant], rounds: Int, _ load: Load, warmsUp: Bool = true, from a: TestHost,
        to b: TestHost
    ) async throws {
        var running: [any Contestant] = []
        for contestant in contestants {
            if let missing = HostLink.missing(contestant.needs) {
                say("\(contestant.name) is left out: no '\(missing)' here (Config/setup --benchmark installs it)")
                continue
            }
            do {
                try await contestant.prepare(from: a, to: b)
                running.append(contestant)
            } catch {
                say("\(contestant.name) is left out: \(error)")
            }
        }
        for round in (warmsUp ? 0 : 1)...rounds {
            let order = round.isMultiple(of: 2) ? running : running.reversed()
            for contestant in order where failures[contestant.name] == nil {
                do {
                    let result = try await contestant.carry(load, from: a, to: b)
                    if round > 0 { runs[contestant.name, default: []].append(result) }
                } catch {
                    say("\(contestant.name) is left out: \(error)")
                    failures[contestant.name] = "\(error)"
                    runs[contestant.name] = nil
                }
            }
        }
    }

    /// Measurements of a contestant, round by round; nil for a skipped one.
    subscript(name: String) -> [Measurement]? { runs[name] }

    func seconds(of name: String) -> [Double] { runs[name]?.map(\.seconds) ?? [] }

    /// Verdict on our figure relative to another's; none if the other is missing.
    func verdict(
        _ what: String, to other: String, _ target: Verdict.Target, by figure: (Measurement) -> Double
    ) -> [Verdict] {
        guard let others = runs[other] else { return [] }
        guard let ours = runs[Self.ours] else { return [Verdict(what, missed: "failed", target)] }
        return [Verdict(what, ours.map(figure), to: others.map(figure), target)]
    }
}

extension Measurement {
    /// Value for comparing speeds.
    var pace: Double { 1 / seconds }
    /// Processor time of both sides.
    var allProcessorSeconds: Double { processorSeconds.sender + processorSeconds.receiver }
}
