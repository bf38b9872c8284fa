/// The rules for plurals, the most special first.
enum PluralRules {
    static let all: [PluralRule] = unchanged + special + general

    /// The last letters of all words that any but the last rule fits, in lower case. Most names of models have another
    /// one, and then the rules need not be made at all, which would take a start longer than reading a model.
    static let specialEndings: ContiguousArray<UInt8> = ContiguousArray("abdefhimnoprsuxyz".utf8)

    /// Endings whose words are their own plurals.
    private static let unchanged: [PluralRule] = [
        PluralRule(unchanged: ["sheep"]),
        PluralRule(unchanged: ["pox"]),
        PluralRule(unchanged: ["o[iu]s"]),
        PluralRule(unchanged: ["measles"]),
        PluralRule(unchanged: ["fish"]),
        PluralRule(unchanged: ["deer"]),
        PluralRule(unchanged: ["[^aeiou]ese"]),
        PluralRule(unchanged: ["pokemon"]),
    ]

    private static let special: [PluralRule] = [
        PluralRule(["^"], dropping: ["thou"], adding: "you"),
        PluralRule(["m"], dropping: ["an", "en"], adding: "en"),
        PluralRule(unchanged: ["eaux"]),
        PluralRule(["child"], dropping: ["", "ren"], adding: "ren"),
        PluralRule(["pe"], dropping: ["rson", "ople"], adding: "ople"),
        PluralRule(["^m", "^titm", "^l"], dropping: ["ice", "ouse"], adding: "ice"),
        PluralRule(["matr", "cod", "mur", "sil", "vert", "ind", "append"], dropping: ["ix", "ex"], adding: "ices"),
        PluralRule(["x", "ch", "ss", "sh", "zz"], adding: "es"),
        PluralRule(["[^ch][ieo][ln]"], dropping: ["ey"], adding: "ies"),
        PluralRule(["[^aeiouy]", "qu"], dropping: ["y"], adding: "ies"),
        PluralRule(["kni", "wi", "li"], dropping: ["fe"], adding: "ves").also(
            ["ar", "l", "ea", "eo", "oa", "hoo"], dropping: ["f"]),
    ]

    private static let general: [PluralRule] = [
        PluralRule([""], dropping: ["sis"], adding: "ses"),
        PluralRule(
            [
                "apheli", "hyperbat", "periheli", "asyndet", "noumen", "phenomen", "criteri", "organ", "prolegomen",
                "hedr", "automat",
            ], dropping: ["a", "on"], adding: "a"),
        PluralRule(
            [
                "agend", "addend", "millenni", "dat", "extrem", "bacteri", "desiderat", "strat", "candelabr", "errat",
                "ov", "symposi", "curricul", "automat", "quor",
            ], dropping: ["a", "um"], adding: "a"),
        PluralRule(["her", "at", "gr"], dropping: ["o"], adding: "oes"),
        PluralRule(["seraph", "cherub"], dropping: ["", "im"], adding: "im"),
        PluralRule(["alumn", "alg", "vertebr"], dropping: ["a", "ae"], adding: "ae"),
        PluralRule(
            [
                "alumn", "syllab", "vir", "radi", "nucle", "fung", "cact", "stimul", "termin", "bacill", "foc", "uter",
                "loc", "strat",
            ], dropping: ["us", "i"], adding: "i"),
        PluralRule(["[^l]ias", "[aeiou]las", "[ejzr]as", "[iu]am"], adding: ""),
        PluralRule(["e[mn]u"], dropping: ["", "s"], adding: "s"),
        PluralRule(["alias", "[^aou]us", "t[lm]as", "gas", "ris"], adding: "es"),
        PluralRule(["ax", "test"], dropping: ["is"], adding: "es"),
        PluralRule(["[^aeiou]ese"], adding: ""),
        PluralRule([""], dropping: ["", "s"], adding: "s"),
    ]
}

extension PluralRule {
    /// The same rule for further endings.
    func also(_ stems: [String], dropping dropped: [String]) -> PluralRule {
        PluralRule(joining: self, PluralRule(stems, dropping: dropped, adding: added))
    }
}

/// The words that no rule covers.
enum PluralWords {
    /// Plurals by their singulars.
    static let irregular: [String: String] = [
        "i": "we", "me": "us", "he": "they", "she": "they", "them": "them", "myself": "ourselves",
        "yourself": "yourselves", "itself": "themselves", "herself": "themselves", "himself": "themselves",
        "themself": "themselves", "is": "are", "was": "were", "has": "have", "this": "these", "that": "those",
        "echo": "echoes", "dingo": "dingoes", "volcano": "volcanoes", "tornado": "tornadoes",
        "torpedo": "torpedoes", "genus": "genera", "viscus": "viscera", "stigma": "stigmata", "stoma": "stomata",
        "dogma": "dogmata", "lemma": "lemmata", "schema": "schemata", "anathema": "anathemata", "ox": "oxen",
        "axe": "axes", "die": "dice", "yes": "yeses", "foot": "feet", "eave": "eaves", "goose": "geese",
        "tooth": "teeth", "quiz": "quizzes", "human": "humans", "proof": "proofs", "carve": "carves",
        "valve": "valves", "looey": "looies", "thief": "thieves", "groove": "grooves", "pickaxe": "pickaxes",
        "passerby": "passersby",
    ]

    /// The plurals among them, which stay as they are.
    static let plurals = Set(irregular.values)

    /// Words that have no plural.
    static let uncountable: Set<String> = [
        "adulthood", "advice", "agenda", "aid", "aircraft", "alcohol", "ammo", "analytics", "anime", "athletics",
        "audio", "bison", "blood", "bream", "buffalo", "butter", "carp", "cash", "chassis", "chess", "clothing", "cod",
        "commerce", "cooperation", "corps", "debris", "diabetes", "digestion", "elk", "energy", "equipment",
        "excretion", "expertise", "firmware", "flounder", "fun", "gallows", "garbage", "graffiti", "hardware",
        "headquarters",
        "health", "herpes", "highjinks", "homework", "housework", "information", "jeans", "justice", "kudos", "labour",
        "literature", "machinery", "mackerel", "mail", "media", "mews", "moose", "music", "mud", "manga", "news",
        "only", "personnel", "pike", "plankton", "pliers", "police", "pollution", "premises", "rain", "research",
        "rice", "salmon", "scissors", "series", "sewage", "shambles", "shrimp", "software", "staff", "swine", "tennis",
        "traffic", "transportation", "trout", "tuna", "wealth", "welfare", "whiting", "wildebeest", "wildlife", "you",
    ]
}
