import Foundation
import Testing
import UniformTypeIdentifiers

@testable import PortolanConverters

@Suite struct ConverterDeclarationsTests {
    @Test func aDeclarationIsReadFromAPropertyList() throws {
        let list = """
            <plist version="1.0"><dict><key>PortolanConverters</key><array><dict>
            <key>PortolanConverterFrom</key><string>public.heic</string>
            <key>PortolanConverterTo</key><string>public.jpeg</string>
            <key>PortolanConverterCommand</key>
            <array><string>heif-convert</string><string>-q</string><string>90</string><string>{input}</string>
            <string>{output}</string></array>
            <key>PortolanConverterTimeLimit</key><integer>30</integer>
            <key>PortolanConverterSizeLimit</key><integer>8589934592</integer>
            <key>PortolanConverterMemoryLimit</key><real>1073741824</real>
            <key>PortolanConverterReads</key><array><string>/opt/heif</string></array>
            </dict></array></dict></plist>
            """
        let read = try PropertyListSerialization.propertyList(from: Data(list.utf8), options: [], format: nil)
        let (converters, problems) = ConverterDeclarations.parse(try #require(read as? [String: Any]), from: "a.plist")
        #expect(problems.isEmpty)
        let converter = try #require(converters.first)
        #expect(converters.count == 1)
        #expect(converter.from == .heic && converter.to == .jpeg)
        #expect(converter.command == ["heif-convert", "-q", "90", "{input}", "{output}"])
        #expect(converter.timeLimit == .seconds(30))
        #expect(converter.sizeLimit == 8 << 30)
        #expect(converter.memoryLimit == 1 << 30)
        #expect(converter.reads == ["/opt/heif"])
        #expect(converter.declaredIn == "a.plist")
        #expect(converter.tool == "heif-convert")
    }

    @Test func missingLimitsHaveDefaults() throws {
        let (converters, problems) = parse([entry()])
        #expect(problems.isEmpty)
        #expect(converters.first?.timeLimit == ConverterDeclarations.usualTimeLimit)
        #expect(converters.first?.sizeLimit == ConverterDeclarations.usualSizeLimit)
        #expect(converters.first?.memoryLimit == ConverterDeclarations.usualMemoryLimit)
    }

    @Test func aListWithoutConvertersDeclaresNone() {
        let (converters, problems) = ConverterDeclarations.parse(["UTExportedTypeDeclarations": []], from: "a.plist")
        #expect(converters.isEmpty && problems.isEmpty)
    }

    private static let malformed: [(key: String, value: (any Sendable)?, keyPath: String)] = [
        ("PortolanConverterFrom", nil, "PortolanConverterFrom"),
        ("PortolanConverterFrom", 5, "PortolanConverterFrom"),
        ("PortolanConverterFrom", "no type/at all", "PortolanConverterFrom"),
        ("PortolanConverterFrom", "com.example." + String(repeating: "a", count: 5000), "PortolanConverterFrom"),
        ("PortolanConverterTo", nil, "PortolanConverterTo"),
        ("PortolanConverterTo", "com.example.undeclared", "PortolanConverterTo"),
        ("PortolanConverterTo", "public.image", "PortolanConverterTo"),
        ("PortolanConverterTo", "public.data", "PortolanConverterTo"),
        ("PortolanConverterTo", "public.item", "PortolanConverterTo"),
        ("PortolanConverterTo", "public.folder", "PortolanConverterTo"),
        ("PortolanConverterTo", "public.heif-standard", "PortolanConverterTo"),
        ("PortolanConverterTo", "public.heic", "PortolanConverterTo"),
        ("PortolanConverterCommand", nil, "PortolanConverterCommand"),
        ("PortolanConverterCommand", "convert {input} {output}", "PortolanConverterCommand"),
        ("PortolanConverterCommand", [String](), "PortolanConverterCommand"),
        ("PortolanConverterCommand", [""], "PortolanConverterCommand"),
        ("PortolanConverterCommand", ["bin/tool"], "PortolanConverterCommand[0]"),
        ("PortolanConverterCommand", ["{input}"], "PortolanConverterCommand[0]"),
        ("PortolanConverterCommand", ["/bin/{output}"], "PortolanConverterCommand[0]"),
        ("PortolanConverterCommand", ["tool", "a\0b"], "PortolanConverterCommand[1]"),
        ("PortolanConverterCommand", ["tool", String(repeating: "a", count: 4097)], "PortolanConverterCommand[1]"),
        ("PortolanConverterCommand", [String](repeating: "tool", count: 65), "PortolanConverterCommand"),
        ("PortolanConverterTimeLimit", 0, "PortolanConverterTimeLimit"),
        ("PortolanConverterTimeLimit", -1, "PortolanConverterTimeLimit"),
        ("PortolanConverterTimeLimit", 0.5, "PortolanConverterTimeLimit"),
        ("PortolanConverterTimeLimit", 3601, "PortolanConverterTimeLimit"),
        ("PortolanConverterTimeLimit", Double.nan, "PortolanConverterTimeLimit"),
        ("PortolanConverterTimeLimit", "60", "PortolanConverterTimeLimit"),
        ("PortolanConverterSizeLimit", 1e300, "PortolanConverterSizeLimit"),
        ("PortolanConverterSizeLimit", Date(), "PortolanConverterSizeLimit"),
        ("PortolanConverterMemoryLimit", 1, "PortolanConverterMemoryLimit"),
        ("PortolanConverterReads", "/opt", "PortolanConverterReads"),
        ("PortolanConverterReads", ["/opt", "opt"], "PortolanConverterReads[1]"),
    ]

    @Test(arguments: malformed.indices)
    func malformedEntryIsAProblemAndOthersAreValid(_ index: Int) throws {
        let malformed = Self.malformed[index]
        var bad = entry()
        bad[malformed.key] = malformed.value
        let (converters, problems) = parse([entry(), bad, entry()])
        #expect(converters.count == 2)
        #expect(problems.count == 1)
        #expect(problems.first?.file == "a.plist")
        #expect(problems.first?.keyPath == "PortolanConverters[1].\(malformed.keyPath)")
    }

    @Test func entryThatIsNoDictionaryIsAProblem() {
        let (converters, problems) = parse(["text", entry()])
        #expect(converters.count == 1)
        #expect(problems.map(\.keyPath) == ["PortolanConverters[0]"])
        #expect(ConverterDeclarations.parse([ConverterDeclarations.key: "text"], from: "a.plist").problems.count == 1)
    }

    @Test func unknownKeyIsReportedAndTheEntryIsValid() {
        var entry = entry()
        entry["PortolanConverterTimelimit"] = 5
        let (converters, problems) = parse([entry])
        #expect(converters.count == 1)
        #expect(problems.map(\.keyPath) == ["PortolanConverters[0].PortolanConverterTimelimit"])
    }

    @Test("a key of the list that begins as ours do and is none is named")
    func unknownKeyOfTheList() {
        let (converters, problems) = ConverterDeclarations.parse(
            [ConverterDeclarations.key: [entry()], "PortolanConverter": [entry()], "CFBundleName": "x"], from: "a.plist"
        )
        #expect(converters.count == 1)
        #expect(problems.map(\.keyPath) == ["PortolanConverter"])
    }

    @Test("a command without {input}, and a program that is not installed, are warned of")
    func warnings() {
        #expect(converter(["sh", "{input}"]).warnings(tools: ToolSearch(path: "/bin")).isEmpty)
        let all = converter(["no-such-tool"]).warnings(tools: ToolSearch(path: "/bin")).map(\.sentence)
        #expect(all.count == 2 && all.allSatisfy { $0.contains("no-such-tool") })
        #expect(all[0].contains("{input}") && all[1].contains("not installed"))
    }

    @Test func aFileDeclaresABoundedNumber() {
        let (converters, problems) = parse([Any](repeating: entry(), count: 10_000))
        #expect(converters.count == ConverterDeclarations.maximumCount)
        #expect(problems.map(\.keyPath) == ["PortolanConverters"])
    }

    @Test func aProblemIsFitToBePrinted() {
        let problem = ConverterProblem(file: "\u{1B}[2J.plist", keyPath: "a\nb", sentence: "This is missing.")
        #expect(!problem.description.unicodeScalars.contains { $0.value < 32 })
    }

    @Test func placeholdersAreReplacedEverywhere() {
        let command = ["tool", "--in={input}", "{output}", "{input}:{output}", "plain"]
        let arguments = converter(command).arguments(input: "/a/{output}", output: "/b/{input}")
        #expect(arguments == ["tool", "--in=/a/{output}", "/b/{input}", "/a/{output}:/b/{input}", "plain"])
        #expect(!converter(command).readsStandardInput && !converter(command).writesStandardOutput)
        #expect(converter(["tool"]).readsStandardInput && converter(["tool"]).writesStandardOutput)
    }

    @Test func theShippedDeclarationsAreSoundAndNameDeclaredTypes() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            .standardizedFileURL
        let data = try Data(contentsOf: project.appending(path: "Config/debian-converters.plist"))
        let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        let fields = try #require(list as? [String: Any])
        let (converters, problems) = ConverterDeclarations.parse(fields, from: "debian-converters.plist")
        #expect(problems.isEmpty, "\(problems)")
        #expect(converters == ConverterDeclarations.shipped)
        #expect(converters.count == (fields[ConverterDeclarations.key] as? [Any])?.count)
        #expect(converters.count >= 10)
        for converter in converters {
            #expect(converter.from.isDeclared && converter.to.isDeclared)
            // Programs recognise their input by its extension.
            #expect(!converter.from.fileNameEnding.isEmpty)
            #expect(!converter.readsStandardInput)
        }
        let pairs = converters.map { "\($0.from) \($0.to)" }
        for wanted in [
            "public.heic public.jpeg", "net.daringfireball.markdown public.html", "public.svg-image public.png",
        ] {
            #expect(pairs.contains(wanted))
        }
    }

    private func entry() -> [String: Any] {
        [
            "PortolanConverterFrom": "public.heic", "PortolanConverterTo": "public.jpeg",
            "PortolanConverterCommand": ["tool", "{input}", "{output}"],
        ]
    }

    private func parse(_ entries: [Any]) -> (converters: [Converter], problems: [ConverterProblem]) {
        ConverterDeclarations.parse([ConverterDeclarations.key: entries], from: "a.plist")
    }
}
