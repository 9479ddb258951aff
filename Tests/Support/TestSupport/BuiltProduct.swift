import Foundation
import Glibc

/// Program that this package builds.
public enum BuiltProduct {
    /// Path of a program that was built together with the calling one: from an environment variable (`PORTOLAN_BINARY`
    /// for `portolan`), else beside the running program.
    ///
    /// - Throws: `HostsError` with instructions if there is none.
    public static func path(_ name: String) throws -> String {
        let variable = name.uppercased().replacing("-", with: "_") + "_BINARY"
        if let named = ProcessInfo.processInfo.environment[variable] {
            guard access(named, X_OK) == 0 else { throw HostsError("\(variable) names \(named), which is no program") }
            return named
        }
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        // Test bundles are files or folders beside the programs.
        for folder in [own.deletingLastPathComponent(), testBundle?.deletingLastPathComponent()] {
            guard let path = folder?.appendingPathComponent(name).path else { continue }
            if access(path, X_OK) == 0 { return path }
        }
        throw HostsError("'\(name)' is not built beside \(own.path): run `swift build`, or set \(variable)")
    }

    /// True if the calling program, and so the programs built with it, is a debug build.
    public static var isUnoptimized: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// Test bundle that a runner at another place runs.
    private static var testBundle: URL? {
        let arguments = CommandLine.arguments
        guard let flag = arguments.firstIndex(of: "--test-bundle-path"), flag + 1 < arguments.count else {
            return arguments.first { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        }
        return URL(fileURLWithPath: arguments[flag + 1])
    }
}
