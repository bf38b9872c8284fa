import Testing

@testable import Blueprint

@Suite("Names of the API")
struct NamesTests {
    /// Words and their plurals, as Amplify's `pluralize` forms them.
    private static let plurals = """
        Post Posts, Todo Todos, OrderItem OrderItems, Todo_item Todo_items, Item2 Item2s, Survey Surveys
        Key Keys, Video Videos, Photo Photos, Piano Pianos, Studio Studios, Zero Zeros, Veto Vetos
        Cargo Cargos, Roof Roofs, Belief Beliefs, Chief Chiefs, Proof Proofs, Human Humans, Medium Mediums
        Feedback Feedbacks, Furniture Furnitures, Category Categories, Story Stories, City Cities
        Activity Activities, Bus Buses, Bonus Bonuses, Campus Campuses, Address Addresses, Status Statuses
        Class Classes, Process Processes, Access Accesses, Business Businesses, Alias Aliases, Box Boxes
        Tax Taxes, Match Matches, Batch Batches, Dish Dishes, Brush Brushes, Church Churches, Buzz Buzzes
        Gas Gases, Iris Irises, Atlas Atlases, Hero Heroes, Potato Potatoes, Tomato Tomatoes, Echo Echoes
        Leaf Leaves, Knife Knives, Life Lives, Wolf Wolves, Half Halves, Shelf Shelves, Thief Thieves
        Scarf Scarves, Self Selves, Wife Wives, Person People, Child Children, Man Men, Woman Women
        Foot Feet, Tooth Teeth, Goose Geese, Mouse Mice, Ox Oxen, Die Dice, Quiz Quizzes, Axe Axes
        Passerby Passersby, Money Monies, Schema Schemata, Stigma Stigmata, Genie Genies, Analysis Analyses
        Basis Bases, Crisis Crises, Thesis Theses, Diagnosis Diagnoses, Axis Axes, Index Indices
        Matrix Matrices, Vertex Vertices, Appendix Appendices, Criterion Criteria, Phenomenon Phenomena
        Cactus Cacti, Focus Foci, Radius Radii, Nucleus Nuclei, Alumnus Alumni, Virus Viri
        Octopus Octopuses, Datum Data, News News, Series Series, Species Species, Sheep Sheep, Fish Fish
        Deer Deer, Moose Moose, Salmon Salmon, Aircraft Aircraft, Chassis Chassis, Equipment Equipment
        Information Information, Software Software, Hardware Hardware, Homework Homework, Music Music
        Traffic Traffic, Advice Advice, Staff Staff, Police Police, Data Data, UserData UserData
        Metadata Metadata, Media Media, Canvas Canvas, Lens Lens, Bias Bias, Settings Settings
        Preferences Preferences, Todos Todos, People People, Sms Sms, GPS GPS, API APIS, MyAPI MyAPIS
        URL URLS, ID IDS, B BS, A AS, I WE, Me Us, My Mies, This These, He They
        """

    @Test("plurals")
    func formsPlurals() {
        let pairs = Self.plurals.split(whereSeparator: { $0 == "," || $0.isNewline }).map { $0.split(separator: " ") }
        #expect(pairs.count > 140)
        for pair in pairs { #expect(Plural.of(String(pair[0])) == String(pair[1])) }
    }

    @Test("no special rule for plurals fits a word whose last letter is said to be usual")
    func usualEndings() {
        for byte in UInt8.min...UInt8.max where !PluralRules.specialEndings.contains(Plural.lowercased(byte)) {
            #expect(PluralRules.all.dropLast().allSatisfy { !$0.canEnd(in: Plural.lowercased(byte)) }, "\(byte)")
        }
    }

    @Test("names of subscriptions are cut to 50 characters, the last five of them a digest")
    func cutsSubscriptionNames() {
        let model = "AVeryLongTypeNameThatMakesSubscriptionNamesTooLong"
        #expect(
            Names.subscription("onCreate", model) == "onCreateAVeryLongTypeNameThatMakesSubscriptio6efd9")
        #expect(
            Names.subscription("onUpdate", model) == "onUpdateAVeryLongTypeNameThatMakesSubscriptiodd56f")
        #expect(
            Names.subscription("onDelete", model) == "onDeleteAVeryLongTypeNameThatMakesSubscriptio8b9ae")
        #expect(Names.subscription("onCreate", "todo") == "onCreateTodo")
    }

    @Test(
        "MD5 digests are those of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func digests(text: String, digest: String) {
        #expect(MD5.hexDigest(of: Array(text.utf8)) == digest)
    }

    @Test("only GraphQL's names are names")
    func knowsNames() {
        #expect(["a", "_", "A1_b"].allSatisfy(Names.isName))
        #expect(!["", "1a", "a b", "é", "a-b", "a\n"].contains(where: Names.isName))
    }

    @Test("generated names of keys, joins and indexes")
    func forms() {
        #expect(Names.keyField("Post", "comments", "id") == "postCommentsId")
        #expect(Names.joinModel("postTags") == "PostTags")
        #expect(Names.relationIndex("Post", "comments") == "gsi-Post.comments")
        #expect(Names.indexQuery("Order", fields: ["region", "status", "date"]) == "ordersByRegionAndStatusAndDate")
    }
}
