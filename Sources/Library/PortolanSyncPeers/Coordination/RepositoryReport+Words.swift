import PortolanFiles
import PortolanRepositories
import PortolanSyncFolder
import PortolanValues

/// Repositories in the status of a folder.
extension RepositoryReport {
    var lacks: [SyncLack] {
        switch state {
        case .exchanged(let apart, let waits, let isForgotten):
            let forgotten = [
                lack(
                    "Others have deleted this repository. It stays here, and goes to nobody until something changes in it.",
                    true)
            ]
            return apart.map { lack($0.sentence, true) } + waits.map { lack($0.sentence, false) }
                + (isForgotten ? forgotten : [])
        case .refused(let refusal): return [lack(refusal.sentence, refusal.needsPerson)]
        }
    }

    private func lack(_ reason: String, _ needsPerson: Bool) -> SyncLack {
        SyncLack(path: path.isEmpty ? nil : path, reason: reason, needsPerson: needsPerson)
    }
}

extension RefApart {
    fileprivate var sentence: String {
        let device = DisplayText(device, limit: 60)
        let (kind, rest) = name.firstIndex(of: "/").map { (name[..<$0], name[$0...].dropFirst()) } ?? (name[...], "")
        let word = DisplayText.shellWord(shown)
        guard kind == "heads" else {
            return "“\(device)” has another “\(DisplayText(name, limit: 200))”: \"git log \(word)\" shows it."
        }
        return """
            Branch “\(DisplayText(rest, limit: 200))” of “\(device)” has gone another way: \
            "git log \(DisplayText.shellWord("\(rest)..\(shown)"))" shows what is new there, and "git merge \(word)" joins both.
            """
    }
}

extension RepositoryWait {
    fileprivate var sentence: String {
        switch reason {
        case .incomplete: "What “\(DisplayText(device, limit: 60))” has committed is not all here yet."
        default: reason.sentence
        }
    }
}

extension RepositoryRefusal {
    fileprivate var needsPerson: Bool {
        switch self {
        case .leftAlone, .program: true
        case .interrupted, .failure, .atWork, .incomplete: false
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .interrupted: "The repository is looked at later."
        case .failure(let failure): "The repository cannot be read or written: \(failure.text)."
        case .atWork: "Git works in the repository; it is looked at when git has ended."
        case .incomplete: "What others have committed is not all here yet."
        case .program(let text): "Git has refused: \(DisplayText(oneLine: text, limit: 200))."
        case .leftAlone(let kind): "The repository is left alone: \(kind.rawValue)."
        }
    }
}
