import Foundation

// Writes Protocol/vectors: `swift run GenerateVectors [folder]`. Always the same bytes, since every key is fixed.
//
// The scenarios are independent of the library's codecs as far as possible: identities, malformed messages and
// forbidden messages are assembled here byte by byte.

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "Protocol/vectors", directoryHint: .isDirectory)
var scenarios: [Scenario] = []
scenarios += try handshakeScenarios()
scenarios += recordScenarios()
scenarios += try messageScenarios()
scenarios += refusedMessageScenarios()
scenarios += try receiptScenarios()
scenarios += try requestMessageScenarios()
scenarios += refusedRequestMessageScenarios()
scenarios += try syncMessageScenarios()
scenarios += refusedSyncMessageScenarios()
scenarios += conflictNameScenarios()
scenarios += syncModelScenarios()
scenarios += syncConductScenarios()
scenarios += questionScenarios()
scenarios += courseScenarios()
scenarios += try teamMessageScenarios()
scenarios += refusedTeamMessageScenarios()
scenarios += try negotiationScenarios()
scenarios += try visibilityScenarios()
scenarios += payloadHeaderScenarios()
scenarios += packedHeaderScenarios()
scenarios += laneScenarios()
scenarios += treeRecordScenarios()
scenarios += treeTransferScenarios()
scenarios += treeLimitScenarios()
scenarios += omissionScenarios()
scenarios += try countScenarios()
scenarios += refusedCountScenarios()
scenarios += differenceScenarios()
scenarios += contentDigestScenarios()
scenarios += try sessionScenarios()
scenarios += try requestedSessionScenarios()
scenarios += try presenceScenarios()
scenarios += try rosterScenarios()
scenarios += try statementScenarios()

guard Set(scenarios.map(\.name)).count == scenarios.count else { fatalError("Two scenarios have one name") }
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
for scenario in scenarios { try scenario.write(into: folder) }
print("\(scenarios.count) vectors in \(folder.path(percentEncoded: false))")
