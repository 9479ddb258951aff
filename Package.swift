// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// A target may import only targets that stand above it in this list.
let package = Package(
    name: "portolan",
    products: [
        .executable(name: "portolan", targets: ["PortolanCommand"]),
        .library(name: "Portolan", targets: ["Portolan"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "CoreTransferable", targets: ["CoreTransferable"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        .target(name: "UniformTypeIdentifiers", swiftSettings: strict),
        .target(name: "CoreTransferable", dependencies: ["UniformTypeIdentifiers"], swiftSettings: strict),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(
            name: "CAvahi", pkgConfig: "avahi-client",
            providers: [.apt(["libavahi-client-dev", "libavahi-core-dev"])]),
        .target(name: "PortolanCrypto", dependencies: ["CSodium", crypto], swiftSettings: strict),
        .target(name: "PortolanTrust", dependencies: ["PortolanCrypto"], swiftSettings: strict),
        .target(
            name: "PortolanProtocol",
            dependencies: ["UniformTypeIdentifiers", "PortolanCrypto", "PortolanTrust", protobuf],
            swiftSettings: strict),
        .target(
            name: "PortolanDiscovery", dependencies: ["CAvahi", "PortolanCrypto", "PortolanTrust"],
            swiftSettings: strict),
        .target(name: "PortolanFiles", dependencies: ["PortolanTrust"], swiftSettings: strict),
    ]
)
