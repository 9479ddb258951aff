import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

@Suite(.aside) struct QuestionTests {
    private static func item(_ byte: UInt8 = 7) throws -> ItemID {
        try #require(ItemID([UInt8](repeating: byte, count: ItemID.length)))
    }

    private static func listing(_ id: UInt64, items: Int = 0, next: [UInt8] = []) throws -> Message.Listing {
        let offered = try sampleOffer(items: 1).items[0]
        let entries = try (0..<items).map { Message.Listing.Entry(id: try item(UInt8($0)), item: offered) }
        return try Message.Listing(id: id, items: entries, next: next)
    }

    // MARK: The requester

    @Test func listsAndRequestsAreNumberedTogether() throws {
        var machine = RequestingMachine()
        var numbers: [UInt64] = []
        for turn in 0..<8 {
            let isList = turn.isMultiple(of: 3)
            numbers.append(isList ? machine.list(after: [], most: 0).id : machine.request(try Self.item()).id)
        }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(machine.unanswered == 8)
    }

    @Test func sixteenQuestionsAreUnansweredAtMost() throws {
        var machine = RequestingMachine()
        var last: UInt64 = 0
        for _ in 0..<16 {
            #expect(machine.mayAsk)
            last = machine.request(try Self.item()).id
        }
        #expect(!machine.mayAsk && machine.unanswered == 16)
        try machine.receive(Message.Refusal(id: last, reason: .busy))
        #expect(machine.mayAsk && machine.unanswered == 15)
    }

    @Test func askingBeyondTheLimitIsTheOwnersMistake() async {
        await #expect(processExitsWith: .failure) {
            var machine = RequestingMachine()
            for _ in 0..<17 { _ = machine.list(after: [], most: 0) }
        }
    }

    private enum Answer: CaseIterable {
        case listing, offer, refusal

        func give(_ id: UInt64, to machine: inout RequestingMachine) throws {
            switch self {
            case .listing: try machine.receive(QuestionTests.listing(id))
            case .offer: try machine.receiveOffer(answering: id)
            case .refusal: try machine.receive(Message.Refusal(id: id, reason: .gone))
            }
        }
    }

    @Test(arguments: [false, true])
    func eachQuestionHasOneAnswerOfItsKind(isList: Bool) throws {
        for first in Answer.allCases {
            for second in Answer.allCases {
                var machine = RequestingMachine()
                let id = isList ? machine.list(after: [], most: 0).id : machine.request(try Self.item()).id
                #expect(violation { try first.give(id + 1, to: &machine) } == .unexpected, "nobody asked that")
                let fits = first == .refusal || (first == .listing) == isList
                #expect(violation { try first.give(id, to: &machine) } == (fits ? nil : .unexpected))
                guard fits else { continue }
                #expect(machine.unanswered == 0)
                #expect(violation { try second.give(id, to: &machine) } == .unexpected, "it was answered")
            }
        }
    }

    @Test func aPartHasNoMoreThanWasWantedAndLeadsOn() throws {
        func refused(after: [UInt8], most: Int, items: Int, next: [UInt8]) throws -> ProtocolViolation.Kind? {
            var machine = RequestingMachine()
            let list = machine.list(after: after, most: most)
            let listing = try Self.listing(list.id, items: items, next: next)
            return violation { try machine.receive(listing) }
        }
        #expect(try refused(after: [], most: 0, items: 20, next: []) == nil)
        #expect(try refused(after: [], most: 3, items: 3, next: [1]) == nil)
        #expect(try refused(after: [], most: 3, items: 4, next: [1]) == .unexpected)
        #expect(try refused(after: [1], most: 0, items: 1, next: [1]) == .unexpected)
        #expect(try refused(after: [1], most: 0, items: 0, next: [2]) == nil, "a part may be empty")
        #expect(try refused(after: [1], most: 0, items: 0, next: []) == nil)
        #expect(try refused(after: [1, 2], most: 0, items: 1, next: [1]) == nil)
    }

    // MARK: The holder

    private func request(_ id: UInt64) throws -> Message.Request { Message.Request(id: id, item: try Self.item()) }

    @Test func numbersOnlyGrow() throws {
        var machine = ServingMachine()
        try machine.receive(Message.List(id: 0, after: [], most: 0))
        #expect(violation { try machine.receive(request(0)) } == .unexpected)
        try machine.receive(request(5))
        #expect(violation { try machine.receive(request(5)) } == .unexpected)
        #expect(violation { try machine.receive(Message.List(id: 4, after: [], most: 0)) } == .unexpected)
        machine.answered(5)
        #expect(violation { try machine.receive(request(5)) } == .unexpected, "also when it was answered")
        try machine.receive(request(.max))
        #expect(machine.unanswered == 2)
    }

    @Test func aSeventeenthQuestionIsRefused() throws {
        var machine = ServingMachine()
        for id in 0..<16 as Range<UInt64> { try machine.receive(request(id)) }
        #expect(violation { try machine.receive(request(16)) } == .limit)
        machine.answered(3)
        try machine.receive(request(17))
        #expect(machine.unanswered == 16)
    }

    @Test func answeringTwiceIsTheOwnersMistake() async {
        await #expect(processExitsWith: .failure) {
            var machine = ServingMachine()
            try machine.receive(Message.List(id: 1, after: [], most: 0))
            machine.answered(1)
            machine.answered(1)
        }
    }

    // MARK: Both

    @Test(arguments: 0..<4)
    func honestSidesAnswerAllQuestions(group: Int) {
        for number in 0..<100 {
            withSeed(UInt64(0xA5C_0000 + group * 1000 + number)) { random in
                var (requesting, serving) = (RequestingMachine(), ServingMachine())
                var (asked, answers): ([[UInt8]], [[UInt8]]) = ([], [])
                var open: [Message] = []
                var left = 60
                while left > 0 || requesting.unanswered > 0 {
                    switch random.below(4) {
                    case 0 where left > 0 && requesting.mayAsk:
                        left -= 1
                        let message: Message =
                            random.chance(2)
                            ? .list(requesting.list(after: [UInt8(random.below(9))], most: random.below(4)))
                            : .request(requesting.request(try Self.item()))
                        asked.append(message.encode())
                    case 1 where !asked.isEmpty:
                        let message = try Message(decoding: asked.removeFirst())
                        if case .list(let list) = message { try serving.receive(list) }
                        if case .request(let request) = message { try serving.receive(request) }
                        open.append(message)
                    case 2 where !open.isEmpty:
                        let question = open.remove(at: random.below(open.count))
                        answers.append(try Self.answer(question, &serving, &random).encode())
                    case 3 where !answers.isEmpty:
                        switch try Message(decoding: answers.removeFirst()) {
                        case .listing(let listing): try requesting.receive(listing)
                        case .refusal(let refusal): try requesting.receive(refusal)
                        case .offer(let offer): try requesting.receiveOffer(answering: #require(offer.request))
                        default: throw VectorError("No answer")
                        }
                    default: continue
                    }
                }
                guard serving.unanswered == 0 else { throw VectorError("Something was not answered") }
            }
        }
    }

    private static func answer(
        _ question: Message, _ serving: inout ServingMachine, _ random: inout SeededGenerator
    ) throws -> Message {
        switch question {
        case .list(let list):
            serving.answered(list.id)
            if random.chance(4) { return .refusal(Message.Refusal(id: list.id, reason: .gone)) }
            let items = list.most == 0 ? random.below(5) : random.below(list.most + 1)
            return .listing(try listing(list.id, items: items, next: random.chance(2) ? [] : [99]))
        case .request(let request):
            serving.answered(request.id)
            if random.chance(4) { return .refusal(Message.Refusal(id: request.id, reason: .busy)) }
            return .offer(try Offer(id: request.id, items: sampleOffer(items: 1).items, request: request.id))
        default: throw VectorError("No question")
        }
    }

    /// Random answers: each one that is accepted answers an open question of its kind.
    @Test(arguments: 0..<4)
    func unrequestedAnswersAreRefused(group: Int) {
        var (believed, refused) = (0, 0)
        for number in 0..<200 {
            withSeed(UInt64(0xA5D_0000 + group * 1000 + number)) { random in
                var machine = RequestingMachine()
                var open: [UInt64: Bool] = [:]
                for _ in 0..<80 {
                    if machine.mayAsk, random.chance(3) {
                        let isList = random.chance(2)
                        let id = isList ? machine.list(after: [], most: 2).id : machine.request(try Self.item()).id
                        open[id] = isList
                        continue
                    }
                    let asked = open.keys.sorted()
                    let isAsked = !asked.isEmpty && !random.chance(4)
                    let id = isAsked ? asked[random.below(asked.count)] : UInt64(random.below(30))
                    let kind = random.below(3)
                    do {
                        switch kind {
                        case 0: try machine.receive(Self.listing(id, items: random.below(4), next: [1]))
                        case 1: try machine.receiveOffer(answering: id)
                        default: try machine.receive(Message.Refusal(id: id, reason: .gone))
                        }
                        guard let isList = open[id], kind == 2 || (kind == 0) == isList else {
                            throw VectorError("An answer to nothing is believed")
                        }
                        believed += 1
                        open[id] = nil
                    } catch is ProtocolViolation {
                        refused += 1
                        // A real session ends here.
                        return
                    }
                }
            }
        }
        #expect(believed > 20 && refused > 100, "The runs must reach both to mean something")
    }

    // MARK: Listings

    @Test func listedItemsHaveNoSourceIdentifier() throws {
        let item = try sampleOffer(items: 1).items[0]
        #expect(item.representations.contains { !$0.source.isEmpty })
        let entry = Message.Listing.Entry(id: try Self.item(), item: item)
        #expect(entry.item.representations.allSatisfy { $0.source.isEmpty })
        #expect(entry.item.representations.map(\.type) == item.representations.map(\.type))
    }

    @Test func itemForNobodyIsNotListed() throws {
        let secret = try OfferedItem(
            title: "t",
            representations: [OfferedRepresentation(type: type("public.data"), restriction: .nobody, channel: .data)])
        let entry = Message.Listing.Entry(id: try Self.item(), item: secret)
        #expect(throws: InvalidValue.self) { _ = try Message.Listing(id: 1, items: [entry], next: []) }
    }

    @Test func aListingHoldsAsManyEntriesAsFit() throws {
        func entries(_ count: Int, title: Int) throws -> [Message.Listing.Entry] {
            let item = try OfferedItem(
                title: String(repeating: "t", count: title),
                representations: [OfferedRepresentation(type: type("public.data"), channel: .data)])
            return try (0..<count).map { place in
                let bytes = [UInt8(place >> 8), UInt8(place & 255)] + [UInt8](repeating: 7, count: 14)
                return Message.Listing.Entry(id: try #require(ItemID(bytes)), item: item)
            }
        }
        #expect(Message.Listing.count(fitting: try entries(5, title: 1), most: 0) == 5)
        #expect(Message.Listing.count(fitting: try entries(5, title: 1), most: 3) == 3)
        #expect(Message.Listing.count(fitting: try entries(1030, title: 1), most: 0) == 1024)
        for title in [300, 1000, 1024] {
            let many = try entries(1024, title: title)
            let count = Message.Listing.count(fitting: many, most: 0)
            func size(_ count: Int) throws -> Int {
                let place = [UInt8](repeating: 1, count: 32)
                return Message.listing(
                    try Message.Listing(id: .max, items: Array(many.prefix(count)), next: place)
                ).encode().count
            }
            #expect(count < 1024)
            #expect(try size(count) <= Limits.control)
            #expect(try size(count + 1) > Limits.control - 64, "One more would not have fitted")
        }
    }

    @Test func requestedOfferHasOneItem() throws {
        let items = try sampleOffer(items: 2).items
        #expect(throws: InvalidValue.self) { _ = try Offer(id: 1, items: items, request: 1) }
        #expect(try Offer(id: 1, items: [items[0]], request: 1).request == 1)
        let candidates = items.map { CandidateItem(title: $0.title, representations: $0.representations) }
        let visible = try Offer.visible(to: .anyone, from: [candidates[0]], id: 2, request: 0)
        #expect(visible?.offer.request == 0 && visible?.offer.id == 2)
    }
}
