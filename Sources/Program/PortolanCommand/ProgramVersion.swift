import CPortolanLinux

/// Version of this program.
enum ProgramVersion {
    /// The only place with the version number; packages read it here.
    static let number = "0.3.0"

    /// Version as shown by `--version`: with commit and date if it was built for a package.
    static let full = text(
        commit: String(cString: portolan_build_commit()), date: String(cString: portolan_build_date()))

    /// - Parameters:
    ///   - commit: beginning of its hash; empty if unknown to the build.
    ///   - date: day of the commit, `YYYY-MM-DD`.
    static func text(commit: String, date: String) -> String {
        guard !commit.isEmpty else { return "\(number) (built from source)" }
        return "\(number) (commit \(commit)\(date.isEmpty ? "" : ", \(date)"))"
    }
}
