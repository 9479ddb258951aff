import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings

/// `portolan config show`.
struct ConfigShowCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "show", "Show every setting in force, and where it comes from.",
        examples: """
            portolan config show
            portolan config show --json
            """,
        manual: """
            A setting comes from an option of this command line, from a line of the configuration file, from the \
            environment, from this device's memory ('portolan id --name', 'portolan team use'), or is a default. With \
            options such as --port, it shows the settings of another command with them.
            """)

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let listing = SettingList(settings, listening, network, home: shared.home, config: shared.config)
        let rows = try await withLookupThread { () throws in try listing.rows() }
        let keys = rows.map { CellWidth.of($0.key) }.max() ?? 0
        let values = min(rows.map { CellWidth.of(Self.shown($0)) }.max() ?? 0, Self.widestValue)
        for row in rows {
            let cells = [(row.key, keys), (Self.shown(row), values)].map { text, width in
                text + String(repeating: " ", count: max(0, width - CellWidth.of(text)))
            }
            console.say("\(cells[0])  \(cells[1])  \(Self.origin(row))")
            console.emit(\.setting, row)
        }
    }

    /// Width of the column of values; longer values push the following column.
    private static let widestValue = 36

    private static func shown(_ row: NodeEvent.Setting) -> String {
        row.value.value.map { DisplayText($0, limit: 1024).text } ?? "-"
    }

    private static func origin(_ row: NodeEvent.Setting) -> String {
        guard let place = row.place.value else { return row.source.rawValue }
        let shown = DisplayText(place, limit: 4096).text
        return switch row.source {
        case .byDefault, .file: shown
        case .option, .environment: "\(row.source.rawValue) \(shown)"
        case .device: "'\(shown)'"
        }
    }
}
