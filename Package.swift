// swift-tools-version: 6.2
import PackageDescription

// With PORTOLAN_STRICT in the environment a warning in our own targets is an error, as in CI.
let strict: [SwiftSetting] =
    [.enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny")]
    + (Context.environment["PORTOLAN_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

// Our own code is optimized for tests as well, which take two thirds of the time then; PORTOLAN_UNOPTIMIZED leaves it as a debugger
// wants it. Generic types of our own code are not looked up by their names, for each of which a process scans all conformances when it
// starts. The package manager forbids such flags to what others depend on.
let isDependency = ["/checkouts/", "/registry/"].contains { Context.packageDirectory.contains($0) }
let isPlain = isDependency || Context.environment["PORTOLAN_UNOPTIMIZED"] != nil
let direct = ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]
let own = strict + (isPlain ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug)), .unsafeFlags(direct)])

// Packages say which commit they are made of; a build that is told none is the same at every commit.
let commit: [CSetting] = ["PORTOLAN_COMMIT", "PORTOLAN_COMMIT_DATE"].compactMap { name in
    Context.environment[name].map { .define(name, to: "\"\($0)\"") }
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let collections = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "portolan",
    products: [
        .executable(name: "portolan", targets: ["PortolanCommand"]),
        .library(name: "Portolan", targets: ["Portolan"]),
        // SwiftUI's words for sharing, pasting and dropping, without views.
        .library(name: "PortolanControls", targets: ["PortolanControls"]),
        .library(name: "PortolanClient", targets: ["PortolanClient"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        // Types and transferables alone: needs none of the libraries below, nor their headers.
        .library(
            name: "CoreTransferable", targets: ["CoreTransferable", "UniformTypeIdentifiers", "AppleConveniences"]),
        // Attributed text as a transferable value: RTF and flattened RTFD.
        .library(name: "TransferableRichText", targets: ["TransferableRichText"]),
        .library(name: "HeadlessGraphics", targets: ["HeadlessGraphics"]),
        .library(name: "AppleConveniences", targets: ["AppleConveniences"]),
    ] + (isDependency ? [] : [.library(name: "TestClock", type: .dynamic, targets: ["TestClock"])]),
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ]
)

// Targets by rooms, from the ground up: a target may import only targets that stand above it.

let system: [Target] = [
    .target(name: "CPortolanLinux", cSettings: commit),
    // No link and no headers: the library is opened when it is needed.
    .systemLibrary(name: "CArchive", providers: [.apt(["libarchive13"])]),
    // No pkgConfig: the module maps link the libraries, and the package manager would warn where they are missing even
    // those who build only what stands above. (Of Avahi's flags, it also refuses -D_REENTRANT.)
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev", "libavahi-core-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
    // No link: the library is opened when a code is drawn.
    .systemLibrary(name: "CQRCode", providers: [.apt(["libqrencode4"])]),
]

let base: [Target] = [
    .target(name: "PortolanValues", swiftSettings: own),
    .target(name: "PortolanConcurrency", dependencies: ["CPortolanLinux", "PortolanValues"], swiftSettings: own),
]

let apple: [Target] = [
    .target(name: "UniformTypeIdentifiers", swiftSettings: own),
    .target(name: "AppleConveniences", dependencies: ["UniformTypeIdentifiers"], swiftSettings: own),
    .target(
        name: "CoreTransferable",
        dependencies: [
            "PortolanConcurrency", "UniformTypeIdentifiers", "AppleConveniences", "CArchive", "CPortolanLinux",
        ],
        swiftSettings: own),
    .target(
        name: "TransferableRichText",
        dependencies: ["UniformTypeIdentifiers", "AppleConveniences", "CoreTransferable"], swiftSettings: own),
    .target(
        name: "HeadlessGraphics", dependencies: ["UniformTypeIdentifiers", "CoreTransferable"],
        swiftSettings: own),
]

let core: [Target] = [
    .target(name: "PortolanCrypto", dependencies: ["CSodium", "PortolanValues", crypto], swiftSettings: own),
    .target(name: "PortolanDelta", dependencies: ["PortolanCrypto", crypto], swiftSettings: own),
    .target(name: "PortolanSyncPlan", dependencies: ["PortolanValues"], swiftSettings: own),
    .target(
        name: "PortolanTrust", dependencies: ["PortolanValues", "PortolanCrypto", protobuf], swiftSettings: own),
    .target(
        name: "PortolanProtocol",
        dependencies: [
            "UniformTypeIdentifiers", "PortolanValues", "PortolanCrypto", "PortolanSyncPlan", "PortolanTrust",
            protobuf,
        ],
        swiftSettings: own),
    .target(name: "PortolanCompression", dependencies: ["CZstd"], swiftSettings: own),
]

let machine: [Target] = [
    .target(
        name: "PortolanDiscovery",
        dependencies: ["PortolanValues", "PortolanConcurrency", "CAvahi", "PortolanCrypto", "PortolanTrust"],
        swiftSettings: own),
    .target(
        name: "PortolanFiles",
        dependencies: ["CPortolanLinux", "PortolanValues", "PortolanConcurrency", "PortolanCrypto"],
        swiftSettings: own),
    .target(name: "PortolanRepositories", dependencies: ["PortolanValues", "PortolanFiles"], swiftSettings: own),
    // SQLite comes with GRDB's module map.
    .target(
        name: "PortolanSyncFolder",
        dependencies: [
            "PortolanValues", "PortolanConcurrency", "PortolanCrypto", "PortolanSyncPlan", "PortolanFiles",
            "PortolanRepositories", grdb, sqlite,
        ],
        swiftSettings: own),
    .target(
        name: "PortolanConverters",
        dependencies: [
            "PortolanValues", "PortolanConcurrency", "UniformTypeIdentifiers", "CPortolanLinux", "PortolanFiles",
        ],
        swiftSettings: own),
    .target(
        name: "PortolanTransport",
        dependencies: [
            "PortolanValues", "PortolanConcurrency", "CPortolanLinux", "PortolanCrypto", "PortolanTrust",
            "PortolanProtocol", "PortolanDiscovery", "PortolanFiles", "PortolanDelta", "PortolanCompression",
            collections, nioCore, nioPosix,
        ],
        swiftSettings: own),
]

let library: [Target] = [
    .target(
        name: "Portolan",
        dependencies: [
            "PortolanValues", "PortolanConcurrency", "UniformTypeIdentifiers", "CoreTransferable",
            "PortolanCrypto", "PortolanTrust", "PortolanProtocol", "PortolanDiscovery", "PortolanFiles",
            "PortolanConverters", "PortolanCompression", "PortolanTransport", "CPortolanLinux",
        ],
        swiftSettings: own),
    .target(
        name: "PortolanControls",
        dependencies: [
            "UniformTypeIdentifiers", "CoreTransferable", "HeadlessGraphics", "PortolanValues", "PortolanProtocol",
            "PortolanTransport", "Portolan",
        ],
        swiftSettings: own),
    .target(
        name: "PortolanSyncPeers",
        dependencies: [
            "PortolanValues", "PortolanConcurrency", "PortolanCrypto", "PortolanSyncPlan", "PortolanTrust",
            "PortolanProtocol", "PortolanFiles", "PortolanRepositories", "PortolanSyncFolder", "PortolanTransport",
            "Portolan", collections,
        ],
        swiftSettings: own),
    .target(name: "PortolanClient", dependencies: [nioCore, nioPosix, nioHTTP1], swiftSettings: own),
]

let program: [Target] = [
    // For the command and the agent: what imports the library alone links no YAML.
    .target(
        name: "PortolanSettings",
        dependencies: [
            "PortolanValues", "UniformTypeIdentifiers", "PortolanTrust", "PortolanFiles", "Portolan", yams,
        ],
        swiftSettings: own),
    // SQLite comes with GRDB's module map.
    .target(
        name: "PortolanOutbox",
        dependencies: [
            "UniformTypeIdentifiers", "PortolanValues", "PortolanConcurrency", "PortolanCrypto", "PortolanTrust",
            "PortolanProtocol", "PortolanSyncFolder", "PortolanTransport", "Portolan", "PortolanClient", grdb,
        ],
        swiftSettings: own),
    .target(
        name: "PortolanAgent",
        dependencies: [
            "CPortolanLinux", "PortolanValues", "PortolanConcurrency", "UniformTypeIdentifiers", "PortolanCrypto",
            "PortolanTrust", "PortolanProtocol", "PortolanFiles", "PortolanTransport", "Portolan",
            "PortolanSettings", "PortolanSyncFolder", "PortolanSyncPeers", "PortolanClient", "PortolanOutbox", grdb,
            nioCore, nioPosix, nioHTTP1,
        ],
        swiftSettings: own),
    .executableTarget(
        name: "PortolanCommand",
        dependencies: [
            "CPortolanLinux", "PortolanValues", "PortolanConcurrency", "UniformTypeIdentifiers", "CQRCode",
            "PortolanCrypto", "PortolanTrust", "PortolanProtocol", "PortolanFiles", "PortolanDiscovery",
            "PortolanConverters", "Portolan", "PortolanControls", "PortolanSettings", "PortolanSyncPlan",
            "PortolanSyncFolder",
            "PortolanSyncPeers", "PortolanClient", "PortolanOutbox", "PortolanAgent", argumentParser,
        ],
        // Linking the libraries of the language into the program halves the time it takes to start.
        swiftSettings: own + [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))],
        // Symbols of the program are looked up by nobody. Without their names it is 5 MB smaller and starts sooner.
        linkerSettings: [
            .unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
        ]),
]

// Tests: one target for each above, the whole program on two hosts, and what they are made with.

let support: [Target] = [
    .target(name: "CTestSupport"),
    // Loaded into programs under test.
    .target(name: "TestClock"),
    .target(
        name: "TestSupport", dependencies: ["CTestSupport"],
        swiftSettings: own),
    // Linked into all tests, which are one program, by those of PortolanConcurrency.
    .target(
        name: "TestThreads", dependencies: ["CTestSupport", "PortolanConcurrency"], swiftSettings: own),
    .target(
        name: "SyncPlanSupport", dependencies: ["PortolanSyncPlan"],
        swiftSettings: own),
    // Without tests; a test target because it looks into what it imports.
    .testTarget(
        name: "FilesTestSupport", dependencies: ["TestSupport", "PortolanFiles"], swiftSettings: strict),
    // Sessions and lanes of the code that ships in virtual time, on one thread.
    .target(
        name: "SimulationSupport",
        dependencies: [
            "TestSupport", "PortolanValues", "PortolanCrypto", "PortolanTrust", "PortolanProtocol",
            "PortolanDiscovery", "PortolanCompression", "PortolanTransport", collections, heap, nioCore,
        ], swiftSettings: own),
    .target(
        name: "NodeTestSupport",
        dependencies: ["PortolanValues", "PortolanTrust", "PortolanTransport", "Portolan"], swiftSettings: own),
    // Peers that say what they like, for the attacks and for what they cost.
    .target(
        name: "HostilePeers",
        dependencies: ["PortolanValues", "PortolanCrypto", "PortolanTrust", "PortolanProtocol"], swiftSettings: own),
]

let baseTests: [Target] = [
    .testTarget(
        name: "PortolanValuesTests", dependencies: ["TestSupport", "PortolanValues"], swiftSettings: strict),
    .testTarget(
        name: "PortolanConcurrencyTests", dependencies: ["TestThreads", "PortolanConcurrency"],
        swiftSettings: strict),
]

let appleTests: [Target] = [
    .testTarget(
        name: "UniformTypeIdentifiersTests", dependencies: ["TestSupport", "UniformTypeIdentifiers"],
        swiftSettings: strict),
    .testTarget(
        name: "CoreTransferableTests", dependencies: ["TestSupport", "CoreTransferable", "UniformTypeIdentifiers"],
        swiftSettings: strict),
    .testTarget(
        name: "CoreTransferableSwift5Tests", dependencies: ["CoreTransferable"],
        swiftSettings: strict + [.swiftLanguageMode(.v5)]),
    .testTarget(
        name: "TransferableRichTextTests",
        dependencies: ["TestSupport", "CoreTransferable", "TransferableRichText"], swiftSettings: strict),
    .testTarget(
        name: "HeadlessGraphicsTests",
        dependencies: ["TestSupport", "UniformTypeIdentifiers", "CoreTransferable", "HeadlessGraphics"],
        swiftSettings: strict),
    .testTarget(
        name: "AppleConveniencesTests", dependencies: ["UniformTypeIdentifiers", "AppleConveniences"],
        swiftSettings: strict),
]

let coreTests: [Target] = [
    .testTarget(
        name: "PortolanCryptoTests", dependencies: ["TestSupport", "PortolanValues", "PortolanCrypto", crypto],
        resources: [.copy("Vectors")], swiftSettings: strict),
    .testTarget(
        name: "PortolanDeltaTests", dependencies: ["TestSupport", "PortolanCrypto", "PortolanDelta", crypto],
        resources: [.copy("Vectors")], swiftSettings: strict),
    .testTarget(
        name: "PortolanSyncPlanTests", dependencies: ["SyncPlanSupport", "PortolanValues", "PortolanSyncPlan"],
        swiftSettings: own),
    .testTarget(
        name: "PortolanTrustTests",
        dependencies: ["TestSupport", "PortolanValues", "PortolanCrypto", "PortolanTrust", protobuf],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanProtocolTests",
        dependencies: [
            "TestSupport", "SyncPlanSupport", "UniformTypeIdentifiers", "PortolanValues", "PortolanCrypto",
            "PortolanSyncPlan",
            "PortolanTrust", "PortolanProtocol", protobuf,
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanCompressionTests", dependencies: ["TestSupport", "PortolanCompression"],
        swiftSettings: strict),
]

let machineTests: [Target] = [
    .testTarget(
        name: "PortolanDiscoveryTests",
        dependencies: [
            "TestSupport", "PortolanValues", "PortolanConcurrency", "PortolanCrypto", "PortolanTrust",
            "PortolanDiscovery",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanFilesTests",
        dependencies: [
            "TestSupport", "FilesTestSupport", "CPortolanLinux", "PortolanValues", "PortolanCrypto",
            "PortolanFiles",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanSyncFolderTests",
        dependencies: [
            "TestSupport", "FilesTestSupport", "SyncPlanSupport", "PortolanValues", "PortolanSyncPlan",
            "PortolanFiles",
            "PortolanSyncFolder", grdb,
        ],
        swiftSettings: own),
    .testTarget(
        name: "PortolanRepositoriesTests", dependencies: ["PortolanFiles", "PortolanRepositories"], swiftSettings: own),
    .testTarget(
        name: "PortolanConvertersTests",
        dependencies: ["UniformTypeIdentifiers", "PortolanValues", "PortolanConverters"], swiftSettings: strict),
    .testTarget(
        name: "PortolanTransportTests",
        dependencies: [
            "TestSupport", "PortolanValues", "PortolanCrypto", "PortolanDelta", "PortolanTrust", "PortolanProtocol",
            "PortolanConcurrency", "PortolanDiscovery", "PortolanFiles", "PortolanCompression", "PortolanTransport",
            nioCore,
        ],
        swiftSettings: strict),
]

let libraryTests: [Target] = [
    .testTarget(
        name: "PortolanTests",
        dependencies: [
            "TestSupport", "NodeTestSupport", "PortolanValues", "PortolanCrypto", "PortolanTrust",
            "PortolanProtocol", "PortolanDiscovery", "PortolanConverters", "PortolanTransport", "Portolan",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanControlsTests",
        dependencies: ["NodeTestSupport", "PortolanProtocol", "Portolan", "PortolanControls"],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanSyncPeersTests",
        dependencies: [
            "TestSupport", "NodeTestSupport", "PortolanValues", "PortolanTrust", "PortolanProtocol",
            "PortolanFiles", "Portolan", "PortolanSyncPeers",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanClientTests", dependencies: ["PortolanClient", nioCore, nioPosix], swiftSettings: strict),
]

let programTests: [Target] = [
    .testTarget(
        name: "PortolanSettingsTests",
        dependencies: ["PortolanValues", "PortolanTrust", "Portolan", "PortolanSettings"],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanOutboxTests",
        dependencies: [
            "NodeTestSupport", "PortolanValues", "PortolanCrypto", "PortolanTrust", "PortolanProtocol",
            "PortolanTransport", "Portolan", "PortolanClient", "PortolanOutbox", grdb,
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanAgentTests",
        dependencies: [
            "TestSupport", "CPortolanLinux", "PortolanValues", "PortolanConcurrency", "UniformTypeIdentifiers",
            "PortolanCrypto", "PortolanTrust", "PortolanProtocol", "Portolan", "PortolanSettings",
            "PortolanSyncPeers", "PortolanClient", "PortolanOutbox", "PortolanAgent", grdb, nioCore, nioPosix,
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PortolanCommandTests",
        dependencies: [
            "TestSupport", "UniformTypeIdentifiers", "PortolanValues", "PortolanCrypto", "PortolanTrust",
            "PortolanProtocol", "PortolanDiscovery", "Portolan", "PortolanSettings", "PortolanClient",
            "PortolanOutbox", "PortolanAgent", "PortolanCommand", argumentParser, yams,
        ],
        exclude: ["Events/events.jsonl", "Events/objects.yaml"], swiftSettings: strict),
]

let endToEnd: [Target] = [
    .testTarget(
        name: "Adversary",
        dependencies: [
            "TestSupport", "NodeTestSupport", "HostilePeers", "PortolanValues", "PortolanConcurrency",
            "UniformTypeIdentifiers", "PortolanCrypto", "PortolanSyncPlan", "PortolanTrust", "PortolanProtocol",
            "PortolanDiscovery", "PortolanFiles", "PortolanConverters", "Portolan", "PortolanControls",
            "PortolanSettings", "PortolanSyncPeers", "PortolanClient", "PortolanAgent",
        ], swiftSettings: strict),
    .testTarget(
        name: "TwoHosts", dependencies: ["TestSupport", "PortolanCommand"],
        swiftSettings: strict),
]

let simulation: [Target] = [
    .testTarget(
        name: "SimulationTests",
        dependencies: [
            "TestSupport", "FilesTestSupport", "SimulationSupport", "PortolanValues", "PortolanCrypto",
            "PortolanTrust", "PortolanProtocol", "PortolanFiles", "PortolanCompression", "PortolanTransport",
        ],
        swiftSettings: strict),
    // Runs as many simulations as one likes, each with a seed of its own, and says how many a second.
    .executableTarget(
        name: "portolan-simulate", dependencies: ["SimulationSupport"], path: "Tests/Simulation/Simulate",
        swiftSettings: own),
]

let generators: [Target] = [
    .executableTarget(
        name: "GenerateVectors",
        dependencies: [
            "UniformTypeIdentifiers", "PortolanValues", "PortolanCrypto", "PortolanSyncPlan", "PortolanTrust",
            "PortolanProtocol", crypto,
        ], swiftSettings: own),
    .executableTarget(
        name: "GenerateTypeTable",
        exclude: ["system-types.tsv"], swiftSettings: own),
]

let benchmarks: [Target] = [
    .executableTarget(
        name: "portolan-benchmark",
        dependencies: [
            "UniformTypeIdentifiers", "PortolanValues", "PortolanCrypto", "PortolanDelta", "PortolanTrust",
            "PortolanProtocol", "Portolan", "PortolanClient", "TestSupport", "HostilePeers", "PortolanCommand",
        ],
        path: "Tests/Benchmarks", swiftSettings: own)
]

let fuzzing: [Target] = [
    // Reads hostile bytes for as long as one likes: `.ci/fuzz` builds the program with libFuzzer, which links in what
    // LibFuzzer declares.
    .target(
        name: "FuzzTargets",
        dependencies: [
            "SyncPlanSupport", "CPortolanLinux", "UniformTypeIdentifiers", "CoreTransferable",
            "TransferableRichText",
            "HeadlessGraphics", "PortolanValues", "PortolanCrypto", "PortolanDelta", "PortolanSyncPlan",
            "PortolanTrust", "PortolanProtocol", "PortolanDiscovery", "PortolanFiles", "PortolanSyncFolder",
            "PortolanCompression", "PortolanTransport", "PortolanAgent", crypto, nioCore,
        ],
        path: "Tests/Fuzzing/Targets", swiftSettings: own),
    .systemLibrary(name: "LibFuzzer"),
    .executableTarget(
        name: "portolan-fuzz", dependencies: ["FuzzTargets", "LibFuzzer"], path: "Tests/Fuzzing/Program",
        swiftSettings: own),
    .testTarget(
        name: "CorpusTests", dependencies: ["TestSupport", "FuzzTargets"],
        swiftSettings: strict),
]

// The folder of each room. A target lies in it under its own name, unless it says where.
let rooms: KeyValuePairs = [
    "Sources/System": system,
    "Sources/Base": base,
    "Sources/Apple": apple,
    "Sources/Core": core,
    "Sources/Machine": machine,
    "Sources/Library": library,
    "Sources/Program": program,
    "Tests/Support": support,
    "Tests/Base": baseTests,
    "Tests/Apple": appleTests,
    "Tests/Core": coreTests,
    "Tests/Machine": machineTests,
    "Tests/Library": libraryTests,
    "Tests/Program": programTests,
    "Tests/EndToEnd": endToEnd,
    "Tests/Simulation": simulation,
    "Tests/Generators": generators,
    "Tests/Benchmarks": benchmarks,
    "Tests/Fuzzing": fuzzing,
]
for (room, targets) in rooms {
    for target in targets where target.path == nil { target.path = "\(room)/\(target.name)" }
    package.targets += targets
}
