import Testing

@testable import PortolanCrypto

/// The draft's own values, step by step.
@Suite struct CPaceVectorTests {
    private struct File: Decodable {
        let suite: String
        let run: Run
        let validProduct: Product
        let invalidElements: [Hex]
        let prependLen, lvCat, transcriptIr: [Concatenation]
    }

    private struct Run: Decodable {
        let password, channel, session: Hex
        let initiatorScalar, initiatorAssociatedData, initiatorShare: Hex
        let responderScalar, responderAssociatedData, responderShare: Hex
        let generatorString, generatorHash, generator: Hex
        let sharedSecret, keyString, transcript, key: Hex

        var initiator: CPaceMessage {
            CPaceMessage(share: initiatorShare.bytes, associatedData: initiatorAssociatedData.bytes)
        }
        var responder: CPaceMessage {
            CPaceMessage(share: responderShare.bytes, associatedData: responderAssociatedData.bytes)
        }

        func side(_ role: NoiseRole) -> CPace {
            CPace(
                role: role, password: SecretBytes(copying: password.bytes), channel: channel.bytes,
                session: session.bytes,
                associatedData: (role == .initiator ? initiatorAssociatedData : responderAssociatedData).bytes,
                scalar: SecretBytes(copying: (role == .initiator ? initiatorScalar : responderScalar).bytes))
        }
    }

    private struct Product: Decodable {
        let scalar, element, product: Hex
    }

    private struct Concatenation: Decodable {
        let fields: [Hex]
        let result: Hex
    }

    private let file: File

    init() throws {
        file = try vectors("CPace_ristretto255_SHA512", as: File.self)
        #expect(file.suite == "CPACE-RISTR255-SHA512")
    }

    @Test func stringsArePutTogetherAsInAppendixA() {
        #expect(file.prependLen.count == 4 && file.lvCat.count == 1)
        for vector in file.prependLen + file.lvCat {
            #expect(shown(CPaceStrings.lvCat(vector.fields.map { .open($0.bytes) })) == vector.result.bytes)
            #expect(
                shown(CPaceStrings.lvCat(vector.fields.map { .secret(SecretBytes(copying: $0.bytes)) }))
                    == vector.result.bytes)
        }
    }

    @Test func transcriptsMatchAppendixA() {
        #expect(file.transcriptIr.count == 2)
        for vector in file.transcriptIr {
            let fields = vector.fields.map(\.bytes)
            let transcript = CPaceStrings.transcript(
                initiator: CPaceMessage(share: fields[0], associatedData: fields[1]),
                responder: CPaceMessage(share: fields[2], associatedData: fields[3]))
            #expect(shown(CPaceStrings.lvCat(transcript)) == vector.result.bytes)
        }
    }

    @Test func theGeneratorIsReached() {
        let run = file.run
        let password = SecretBytes(copying: run.password.bytes)
        let string = CPaceStrings.generatorString(
            password: password, channel: run.channel.bytes, session: run.session.bytes)
        #expect(shown(string) == run.generatorString.bytes)
        let hash = SHA512.digest(string)
        #expect(shown(hash) == run.generatorHash.bytes)
        #expect(shown(Ristretto255.element(derivedFrom: hash)) == run.generator.bytes)
        let generator = CPace.generator(password: password, channel: run.channel.bytes, session: run.session.bytes)
        #expect(shown(generator) == run.generator.bytes)
    }

    @Test func bothSharesAreReproduced() {
        let (initiator, responder) = (file.run.side(.initiator).message, file.run.side(.responder).message)
        #expect(initiator == file.run.initiator)
        #expect(responder == file.run.responder)
    }

    @Test func bothSidesReachTheKeyByTheSameSteps() throws {
        let run = file.run
        let ends = [(run.initiatorScalar, run.responderShare), (run.responderScalar, run.initiatorShare)]
        for (scalar, share) in ends {
            let secret = try Ristretto255.product(
                SecretBytes(copying: scalar.bytes), SecretBytes(copying: share.bytes))
            #expect(shown(secret) == run.sharedSecret.bytes)
        }
        let string = CPaceStrings.keyString(
            session: run.session.bytes, sharedSecret: SecretBytes(copying: run.sharedSecret.bytes),
            initiator: run.initiator, responder: run.responder)
        #expect(shown(string) == run.keyString.bytes)
        #expect(
            shown(CPaceStrings.lvCat(CPaceStrings.transcript(initiator: run.initiator, responder: run.responder)))
                == run.transcript.bytes)
        #expect(shown(try run.side(.initiator).intermediateKey(with: run.responder)) == run.key.bytes)
        #expect(shown(try run.side(.responder).intermediateKey(with: run.initiator)) == run.key.bytes)
    }

    @Test func theKeyForNoiseIsAnHMACOfTheDraftsKey() throws {
        let expected = SHA256.authenticate(
            Array("portolan/1 pairing".utf8), key: SecretBytes(copying: file.run.key.bytes))
        #expect(try file.run.side(.initiator).preSharedKey(with: file.run.responder) == expected)
        #expect(try file.run.side(.responder).preSharedKey(with: file.run.initiator) == expected)
    }

    @Test func invalidElementsEndTheRun() throws {
        let vector = file.validProduct
        let product = try Ristretto255.product(
            SecretBytes(copying: vector.scalar.bytes), SecretBytes(copying: vector.element.bytes))
        #expect(shown(product) == vector.product.bytes)
        #expect(file.invalidElements.count == 2)
        for element in file.invalidElements {
            for role in [NoiseRole.initiator, .responder] {
                #expect(throws: CPaceError.invalidShare) {
                    try file.run.side(role).intermediateKey(
                        with: CPaceMessage(share: element.bytes, associatedData: []))
                }
            }
        }
    }

    private func shown(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }
}
