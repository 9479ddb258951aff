/// The words of pairing codes: 512 common ones, easy to say and to tell apart.
///
/// Each has four to eight letters, a to z. No two are one mistake apart (a letter wrong, missing, too many, or two
/// swapped), and none begins another, so that words written without anything between them can still be read in one way
/// only. There are no words for numbers, because a code has a number already, and words with a twin that sounds the
/// same were avoided.
///
/// The list does not change within one version of the protocol: a word that one machine shows has to be one that the
/// other accepts.
enum PairingWords {
    /// All words, in alphabetical order.
    static let all: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    static let lengths = 4...8

    private static let set = Set(all)

    /// Splits letters into the words at their start, as many as possible, and the rest behind them.
    static func reading(_ letters: String) -> (words: [String], rest: String) {
        var words: [String] = []
        var rest = letters[...]
        // At most one word fits, because none is a prefix of another.
        while let word = lengths.lazy.map({ String(rest.prefix($0)) }).first(where: set.contains) {
            words.append(word)
            rest = rest.dropFirst(word.count)
        }
        return (words, String(rest))
    }

    static func beginning(with letters: String) -> [String] {
        all.filter { $0.hasPrefix(letters) }
    }

    /// Suggestions for an unknown word, at most three: the words that begin so, if they are few, else those with the
    /// smallest edit distance, at most two.
    static func nearest(to letters: String) -> [String] {
        let begun = beginning(with: letters)
        if (1...3).contains(begun.count) { return begun }
        let distances = all.compactMap { word in
            // The difference in length is a lower bound of the distance.
            abs(word.utf8.count - letters.utf8.count) > 2
                ? nil : (word: word, distance: mistakes(between: letters, and: word))
        }
        guard let least = distances.map(\.distance).min(), least <= 2 else { return [] }
        return distances.filter { $0.distance == least }.prefix(3).map(\.word)
    }

    /// Edit distance: the fewest letters to replace, insert, remove or swap with their neighbours, no letter touched
    /// twice (the "optimal string alignment" distance).
    static func mistakes(between one: String, and other: String) -> Int {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                var least = min(last[column + 1], current[column]) + 1
                least = min(least, last[column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }

    private static let text = """
        acorn acrobat airport album alcove almond alpine amber anchor animal antler anvil apple apricot arcade archive
        arctic artist aspen atlas attic autumn avenue avocado awning azure
        bacon badge bagpipe bakery balcony bamboo banana bandage banjo barrel basket beaver bicycle biscuit blanket
        blossom boat bonfire bottle breeze bridge broom bubble bucket butter
        cabin cactus camera campfire canal candle canyon captain caramel carpet castle chalk chapel cherry chimney
        cinema circle clay cliff clover cobalt coconut comet compass copper cottage crayon crystal curtain
        daisy dancer daylight decade denim dentist desert diamond dinner doctor dolphin domino doorbell dragon drawer
        dream driveway drizzle duckling dumpling
        eagle earring east eclipse editor eggplant elbow elephant elevator emerald emperor empty engine enigma
        envelope equator eraser estate evening express eyebrow
        fabric falcon family farmer faucet feather fence fern festival fiction fiddle firefly flame flamingo flannel
        flute football forest fossil freezer friday frog furnace future
        gadget galaxy gallery gallop garage garden garlic gecko giant ginger giraffe glacier glider glove gold gondola
        granite grape gravel green guitar
        habit hammer hammock hamster harbor harvest hazel headband hedgehog helmet hickory highway hippo hockey
        holiday honey horizon hydrant
        iceberg icicle igloo iguana image impact inch indigo inkwell insect inside instant inventor invite invoice
        iris iron island item ivory
        jacket jackpot jaguar january jasmine jasper javelin jersey jigsaw jogging journey joyful juggler juice jungle
        juniper jupiter
        kangaroo kayak keepsake kennel kettle keyboard keyhole kimono kindle kingdom kiosk kitchen kiwi koala
        ladder ladybug lagoon lamp lantern laptop laundry lavender leaflet legend lemon lentil leopard letter lettuce
        library lilac lion lizard lobster lotus lullaby lunch
        machine magnet mammoth mandolin mango maple marble marigold market maroon meadow melody melon mentor mercury
        midnight mirror mitten monday monkey monsoon mosaic moss muffin museum mushroom music
        napkin narrow nature nebula necklace nectar needle nephew nest nickel noble nomad noodle north notebook
        november nugget nursery nutmeg nylon
        oasis oatmeal object oblong ocean octagon october octopus office olive onion onyx opal opera orange orbit
        orchard orchid oregano origami ostrich otter outdoor oven oxygen
        package paddle palace palm pancake panda papaya paper parade parrot parsley pasture patio peach peanut pebble
        pelican pencil penguin pepper piano pickle picnic pigeon pillow planet potato pumpkin puzzle pyramid
        quail quarry quarter queen question quick quiet
        rabbit radio radish rafter railroad rainbow raisin raven recipe record reindeer reptile restful ribbon river
        robot roof rooster rowboat ruby rudder runway rustic
        saffron sailor salad salmon sandal satchel scarf school scooter season shadow shovel silk silver skate sketch
        slipper smile snowman spaniel sparrow spider sponge spoon squirrel sunset
        tablet tadpole target tavern teacup teapot temple tennis thimble thunder ticket tiger timber tissue toast
        tomato topaz tornado toucan towel tractor traffic triangle trophy trumpet tuesday tulip tunnel turtle twilight
        umbrella unicorn unicycle uniform unique unusual upbeat uphill upright upstairs urban
        vacation vacuum valley vanilla velvet venture vessel viaduct video village vineyard violet violin visitor
        vitamin volcano voltage volume voyage
        waffle wagon wallet walnut walrus wardrobe water website wheat whisker whistle wicker widget wildcat window
        winter wisdom wolf wombat wonder workshop wreath wrist
        yarn yellow yodel yucca
        zebra zenith zephyr zeppelin zigzag zinc zipper zodiac zoology
        """
}
