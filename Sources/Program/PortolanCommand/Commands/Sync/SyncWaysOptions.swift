import ArgumentParser
import PortolanSyncPlan

extension SyncMode: ExpressibleByArgument {}

/// Directions of changes between this device and the others.
struct SyncWaysOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            two-way; send-only: changes of others are not made here; receive-only: changes made here are not told to others. It holds for \
            this device alone.
            """, valueName: "mode"))
    var mode: SyncMode = .twoWay

    @Flag(help: "Files that others delete stay here.")
    var keep = false

    var ways: SyncWays { SyncWays(mode, keepsDeleted: keep) }
}
