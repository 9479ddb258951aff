import Portolan
import PortolanSettings
import Synchronization

/// The policy in force, from a file of a home, which can be loaded again.
package final class PolicyStore: Sendable {
    private let home: HomeDirectory
    private let state: Mutex<Loaded>

    /// A policy, and its file.
    package struct Loaded: Sendable {
        package let policy: OfferPolicy
        /// Text of the file; nil if there was none.
        package let text: String?
        package let at: Date
        /// Reasons why a newer file was not loaded, one sentence each.
        package internal(set) var problems: [String] = []
        /// False if no policy could be loaded since the start; offers cannot be answered then.
        package var isInForce = true
    }

    /// Loads the file; a missing file is a policy without rules. May block.
    ///
    /// - Throws: ``PolicyError``
    package init(home: HomeDirectory) throws(PolicyError) {
        self.home = home
        state = Mutex(try Self.load(from: home))
    }

    /// Loads the file of an agent that starts. A file that is refused leaves it without a policy until it is loaded
    /// again. May block.
    package init(startingIn home: HomeDirectory) {
        self.home = home
        do throws(PolicyError) {
            state = Mutex(try Self.load(from: home))
        } catch {
            state = Mutex(
                Loaded(policy: OfferPolicy(), text: nil, at: Date(), problems: error.problems, isInForce: false))
        }
    }

    private static func load(from home: HomeDirectory) throws(PolicyError) -> Loaded {
        let (policy, text) = try OfferPolicy.loadWithText(from: home)
        return Loaded(policy: policy, text: text, at: Date())
    }

    package var current: OfferPolicy { state.withLock(\.policy) }

    package var loaded: Loaded { state.withLock(\.self) }

    /// Loads the file again. May block.
    ///
    /// - Throws: ``PolicyError``; the policy is unchanged then.
    package func reload() throws(PolicyError) {
        do throws(PolicyError) {
            let loaded = try Self.load(from: home)
            state.withLock { $0 = loaded }
        } catch {
            state.withLock { $0.problems = error.problems }
            throw error
        }
    }
}

/// Reason why a policy file is not loaded.
package struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Problems, one sentence each. Those about the contents name a line and, except for failed tests, a key.
    package let problems: [String]
    /// Mistakes in the file and failed tests, in its order; none if it was not read.
    package private(set) var defects: [ConfigurationDefect] = []
    /// True if another user can write the file.
    package private(set) var isUntrusted = false

    private static let mostShown = 20

    /// - Parameter path: path, placed before each sentence.
    init(_ path: String, _ defects: [ConfigurationDefect]) {
        let path = DisplayText(path).text
        self.defects = defects
        problems = defects.map { "\(path), \($0)" }
    }

    init(_ error: StoreError) {
        problems = ["The policy is not used: \(error)"]
        isUntrusted = error.isOfUntrustedFile
    }

    /// Description, with a line for each problem.
    package var description: String {
        let rest = problems.count - Self.mostShown
        let lines = problems.prefix(Self.mostShown) + (rest > 0 ? ["\(rest) more."] : [])
        return lines.joined(separator: "\n")
    }
}

extension OfferPolicy {
    /// Loads the file of a home and runs its tests; without a file there are no rules. May block.
    ///
    /// - Throws: ``PolicyError`` if it cannot be read, is not trusted, or a test fails.
    package static func load(from home: HomeDirectory) throws(PolicyError) -> OfferPolicy {
        try loadWithText(from: home).policy
    }

    fileprivate static func loadWithText(
        from home: HomeDirectory
    ) throws(PolicyError) -> (policy: OfferPolicy, text: String?) {
        let bytes = try translating(
            TrustedFile.read(
                HomeDirectory.policyFileName, in: home.configuration, below: home.root, limit: PolicyFile.sizeLimit)
        ) { (error: StoreError) in PolicyError(error) }
        guard let bytes else { return (OfferPolicy(), nil) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let defect = ConfigurationDefect(line: 1, key: "", reason: "the file is no UTF-8 text")
            throw PolicyError(home.policyFile, [defect])
        }
        var defects: [ConfigurationDefect] = []
        guard let file = PolicyFile.parse(text, userHome: home.folderOfUser, noting: &defects) else {
            throw PolicyError(home.policyFile, defects)
        }
        let failures = file.misplaced(besides: home.ownFilesForReceiving) + file.failures
        guard failures.isEmpty else { throw PolicyError(home.policyFile, failures) }
        return (file.policy, text)
    }
}

extension HomeDirectory {
    package static let policyFileName = "policy.yaml"

    package var policyFile: String { configuration + "/" + Self.policyFileName }
}
