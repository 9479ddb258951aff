import CPortolanLinux

/// Version of this program.
enum ProgramVersion {
    /// The one place that has it: packages read it here.
    static let number = "0.3.0"

    /// Version as `--version` shows it: with the commit and its day if a package was made of it.
    static let full = text(
        commit: String(cString: portolan_build_commit()), date: String(cString: portolan_build_date()))

    /// - Parameters:
    ///   - commit: beginning of its hash; empty for a build that was told none.
    ///   - date: day of the commit, `YYYY-MM-DD`.
    static func text(commit: String, date: String) -> String {
        guard !commit.isEmpty else { return "\(number) (built from source)" }
        return "\(number) (commit \(commit)\(date.isEmpty ? "" : ", \(date)"))"
    }
}
