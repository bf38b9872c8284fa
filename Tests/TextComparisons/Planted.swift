// Comparisons that `scripts/text-comparisons` must refuse, and some that it must let pass. It compiles this file each time
// before it looks at the rooms, and fails unless it finds every function that is called `refused…`, and no other.

struct RefusedStructure: Equatable {
    let owner: String
}

enum RefusedEnumeration: Equatable {
    case owner(String)
}

struct PassedHash: Hashable {
    let owner: String

    static func == (left: PassedHash, right: PassedHash) -> Bool { left.owner.utf8.elementsEqual(right.owner.utf8) }
}

func refusedEqual(_ one: String, _ other: String) -> Bool { one == other }
func refusedUnequal(_ one: String, _ other: String) -> Bool { one != other }
func refusedOrder(_ one: String, _ other: String) -> Bool { one < other }
func refusedOptional(_ one: String?, _ other: String?) -> Bool { one == other }
func refusedLiteral(_ one: String?) -> Bool { one == "alice" }
func refusedTuple(_ one: String, _ other: String) -> Bool { (one, 1) == (other, 1) }
func refusedList(_ some: [String], _ others: [String]) -> Bool { some == others }
func refusedListOfLists(_ some: [[String]], _ others: [[String]]) -> Bool { some == others }
func refusedContains(_ some: [String], _ one: String) -> Bool { some.contains(one) }
func refusedPlace(_ some: [String], _ one: String) -> Int? { some.firstIndex(of: one) }
func refusedSorted(_ some: [String]) -> [String] { some.sorted() }
func refusedMost(_ some: [String]) -> String? { some.max() }
func refusedSet(_ some: Set<String>, _ one: String) -> Bool { some.contains(one) }
func refusedSetOfLists(_ some: Set<[String]>, _ one: [String]) -> Bool { some.contains(one) }
func refusedMakingSet(_ some: [String]) -> Int { Set(some).count }
func refusedTable(_ table: [String: Int], _ one: String) -> Int? { table[one] }
func refusedDefault(_ table: inout [String: Int], _ one: String) { table[one, default: 0] += 1 }
func refusedInsertion(_ set: inout Set<String>, _ one: String) -> Bool { set.insert(one).inserted }
func refusedRemoval(_ table: inout [String: Int], _ one: String) -> Int? { table.removeValue(forKey: one) }
func refusedGrouping(_ some: [String]) -> Int { Dictionary(grouping: some) { $0 }.count }
func refusedStart(_ one: String, _ other: String) -> Bool { one.hasPrefix(other) }
func refusedEnd(_ one: String, _ other: String) -> Bool { one.hasSuffix(other) }
func refusedStartOfPart(_ one: Substring, _ other: String) -> Bool { one.hasPrefix(other) }
func refusedCharacter(_ one: String) -> Bool { one.contains("a") }
func refusedFirst(_ one: String) -> Bool { one.first == "a" }
func refusedParts(_ one: String) -> Int { one.split(separator: "/").count }
func refusedSubstring(_ one: Substring, _ other: Substring) -> Bool { one == other }
func refusedMixed(_ one: Substring, _ other: String) -> Bool { one == other }
func refusedElements(_ one: String, _ other: String) -> Bool { one.elementsEqual(other) }
func refusedClosure(_ some: [String], _ one: String) -> Bool { some.contains { $0 == one } }
func refusedGeneric(_ one: String, _ other: String) -> Bool { passedGeneric(one, other) }

func refusedSwitch(_ one: String) -> Int {
    switch one {
    case "alice": 1
    default: 2
    }
}

func refusedPattern(_ one: String?) -> Bool {
    if case "alice"? = one { true } else { false }
}

func passedGeneric<Text: Equatable>(_ one: Text, _ other: Text) -> Bool { one == other }
func passedBytes(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
func passedEmpty(_ one: String) -> Bool { one.isEmpty }
func passedNumber(_ one: String) -> Double? { Double(one) }
func passedHash(_ some: Set<PassedHash>, _ one: PassedHash) -> Bool { some.contains(one) }
