import Foundation
import Glibc

/// A program that this package builds.
public enum BuiltProduct {
    /// Where a program lies that was built together with the calling one: named by an environment variable
    /// (`PORTOLAN_BINARY` for `portolan`), else beside the running program.
    ///
    /// - Throws: `HostsError` that says how to get it when there is none.
    public static func path(_ name: String) throws -> String {
        let variable = name.uppercased().replacing("-", with: "_") + "_BINARY"
        if let named = ProcessInfo.processInfo.environment[variable] {
            guard access(named, X_OK) == 0 else { throw HostsError("\(variable) names \(named), which is no program") }
            return named
        }
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        // A test bundle is a file or a folder beside the programs.
        for folder in [own.deletingLastPathComponent(), testBundle?.deletingLastPathComponent()] {
            guard let path = folder?.appendingPathComponent(name).path else { continue }
            if access(path, X_OK) == 0 { return path }
        }
        throw HostsError("'\(name)' is not built beside \(own.path): run `swift build`, or set \(variable)")
    }

    /// Whether the calling program, and so what was built with it, is a debug build.
    public static var isUnoptimized: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The test bundle that a runner of another place was told to run.
    private static var testBundle: URL? {
        let arguments = CommandLine.arguments
        guard let flag = arguments.firstIndex(of: "--test-bundle-path"), flag + 1 < arguments.count else {
            return arguments.first { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        }
        return URL(fileURLWithPath: arguments[flag + 1])
    }
}
