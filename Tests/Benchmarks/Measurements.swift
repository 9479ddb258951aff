import TestSupport

/// What the contestants took in all rounds.
struct Measurements {
    /// The name of the contestant whose figures are aimed at something.
    static let ours = "portolan"

    private var runs: [String: [Measurement]] = [:]
    private(set) var failures: [String: String] = [:]

    /// Runs every contestant once a round, there and back again: the state in which one leaves the machine's memory is not always to
    /// the same one's cost. One whose programs are missing, and one that fails, is left out from then on with a word.
    ///
    /// - Parameter warmsUp: whether there is a round before the first, which warms the caches and does not count.
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

    /// What a contestant took, round by round; nil for one that was left out.
    subscript(name: String) -> [Measurement]? { runs[name] }

    func seconds(of name: String) -> [Double] { runs[name]?.map(\.seconds) ?? [] }

    /// Ours beside another's, by some figure; no verdict where the other is missing.
    func verdict(
        _ what: String, to other: String, _ target: Verdict.Target, by figure: (Measurement) -> Double
    ) -> [Verdict] {
        guard let others = runs[other] else { return [] }
        guard let ours = runs[Self.ours] else { return [Verdict(what, missed: "failed", target)] }
        return [Verdict(what, ours.map(figure), to: others.map(figure), target)]
    }
}

extension Measurement {
    /// To compare speeds with.
    var pace: Double { 1 / seconds }
    /// Of both sides.
    var allProcessorSeconds: Double { processorSeconds.sender + processorSeconds.receiver }
}
