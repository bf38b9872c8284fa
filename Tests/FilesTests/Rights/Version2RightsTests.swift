import TestSupport
import Testing

@testable import Files

@Suite("Rights of defineStorage")
struct Version2RightsTests {
    private static let callers: [FileCaller] = [
        .anonymous, .administrator, .guest(identity: "g:1"), .user(identity: "u:1"), .user(identity: "u:2"),
        .member(group: "editors", identity: "u:1"), .member(group: "readers", identity: "u:3"),
        .member(group: "strangers", identity: "u:4"), .function(name: "resize"), .function(name: "other"),
    ]

    private static let keys = [
        "", "a", "a/", "a/x", "a/b", "a/b/", "a/b/x", "a/bc/x", "a/b/c/x", "c/", "c/x", "c/u:1", "c/u:1/", "c/u:1/x",
        "c/u:2/x",
        "c/u:1x/y", "c/g:1/x", "d/e/u:1/x", "d/e/x", "d/x", "/a/x", "A/x", "a/../c/u:2/x", "z/x",
    ]

    /// The rules said once more, as plainly as can be: all folders, the longest that fits, and what it says.
    private func plainly(
        _ action: FileAction, _ key: String, _ caller: FileCaller, _ rules: [(path: String, rules: [PathRule])]
    ) -> Bool {
        if caller == .administrator { return true }
        var best: (length: Int, folder: String, isOwned: Bool, rules: [PathRule])?
        for (path, rules) in rules {
            let folder = path.replacing("{entity_id}/", with: "").dropLast()
            if key.starts(with: folder), folder.count > (best?.length ?? -1) {
                best = (folder.count, String(folder), path.contains("{entity_id}"), rules)
            }
        }
        guard let best else { return false }
        return best.rules.contains { rule in
            guard rule.actions.contains(FileActions(action)) else { return false }
            switch (rule.who, caller) {
            case (.guest, .guest), (.authenticated, .user): return true
            case (.owner, .user(let identity)):
                return !best.isOwned || key.starts(with: "\(best.folder)\(identity)/")
            case (.group(let name), .member(let group, _)): return name == group
            case (.function(let name), .function(let other, _)): return name == other
            default: return false
            }
        }
    }

    private func compare(_ rules: [(path: String, rules: [PathRule])]) {
        let rights = Version2Rights(rules)
        for caller in Self.callers {
            for key in Self.keys {
                for action in FileAction.allCases {
                    let isAllowed = rights.allow(action, key, to: caller)
                    #expect(
                        isAllowed == plainly(action, key, caller, rules), "\(caller) \(action) \(key) by \(rules)")
                }
            }
        }
    }

    private static let forms: [PathRule.Who] = [
        .guest, .authenticated, .owner, .group("editors"), .group("readers"), .function("resize"),
    ]

    @Test("are those of each form of rule, with each combination of actions", arguments: 0..<16 as Range<UInt8>)
    func followEachForm(actions: UInt8) {
        for who in Self.forms {
            let rule = PathRule(who, FileActions(rawValue: actions))
            compare([("c/{entity_id}/*", [rule])])
            compare([("a/*", [rule]), ("a/b/*", [])])
            compare([("a/*", []), ("a/b/*", [rule])])
            compare([("d/e/{entity_id}/*", [rule]), ("c/*", [rule])])
        }
    }

    @Test("are those of every combination of forms, with other actions each")
    func followCombinations() {
        for number in 0..<(1 << Self.forms.count) {
            let rules = Self.forms.enumerated().filter { number >> $0.offset & 1 == 1 }
                .map { PathRule($0.element, FileActions(rawValue: UInt8(($0.offset * 5 + 3) % 15 + 1))) }
            compare([("c/{entity_id}/*", rules), ("a/*", rules.reversed()), ("a/b/*", Array(rules.dropFirst()))])
        }
    }

    @Test("are the same by a second way for any rules")
    func followRandomRules() {
        var random = SeededRandom(test: "followRandomRules")
        let paths = ["a/*", "a/b/*", "a/b/c/*", "c/*", "c/{entity_id}/*", "d/e/{entity_id}/*", "d/*", "é/*", "z/*"]
        for _ in 0..<Fuzz.rounds(ordinarily: 20) {
            var chosen = paths.filter { _ in Bool.random(using: &random) }
            if chosen.contains("c/*") { chosen.removeAll { $0 == "c/{entity_id}/*" } }
            compare(
                chosen.shuffled(using: &random).map { path in
                    (
                        path,
                        Self.forms.filter { _ in Bool.random(using: &random) }
                            .map { PathRule($0, FileActions(rawValue: UInt8.random(in: 0...15, using: &random))) }
                    )
                })
        }
    }

    @Test("of the three levels are those that Amplify's guide gives for them")
    func followLevels() {
        let rights = Version2Rights([
            ("public/*", [PathRule(.guest, .read), PathRule(.authenticated, .all)]),
            ("protected/{entity_id}/*", [PathRule(.authenticated, .read), PathRule(.owner, .all)]),
            ("private/{entity_id}/*", [PathRule(.owner, .all)]),
        ])
        let user = FileCaller.user(identity: "r:1")
        #expect(rights.allow(.put, "private/r:1/x", to: user))
        #expect(rights.allow(.list, "private/r:1/", to: user))
        #expect(!rights.allow(.list, "private/r:1", to: user))
        #expect(!rights.allow(.get, "private/r:2/x", to: user))
        #expect(rights.allow(.get, "protected/r:2/x", to: user))
        #expect(rights.allow(.list, "protected/", to: user))
        #expect(!rights.allow(.put, "protected/r:2/x", to: user))
        #expect(!rights.allow(.put, "public/x", to: .guest(identity: "r:3")))
        #expect(!rights.allow(.get, "protected/r:3/x", to: .guest(identity: "r:3")))
    }

    @Test("for owners on a path without an id are for all who have signed in, and for nobody else")
    func ownersWithoutID() {
        let rights = Version2Rights([
            ("videos/*", [PathRule(.owner, [.get, .put])]), ("own/{entity_id}/*", [PathRule(.owner, .all)]),
            ("both/*", [PathRule(.owner, .read)]), ("both/{entity_id}/*", [PathRule(.owner, .all)]),
        ])
        let user = FileCaller.user(identity: "r:1")
        #expect(rights.allow(.put, "videos/x", to: user) && rights.allow(.get, "videos/r:2/x", to: user))
        #expect(!rights.allow(.delete, "videos/x", to: user))
        for other in [FileCaller.guest(identity: "r:1"), .member(group: "g", identity: "r:1"), .anonymous] {
            #expect(!rights.allow(.get, "videos/x", to: other))
        }
        #expect(rights.allow(.put, "own/r:1/x", to: user) && !rights.allow(.get, "own/r:2/x", to: user))
        #expect(rights.allow(.get, "both/r:2/x", to: user) && !rights.allow(.put, "both/r:2/x", to: user))
        #expect(rights.allow(.put, "both/r:1/x", to: user))
    }

    @Test("of a subpath take the place of its parent's")
    func replaceTheParent() {
        let rights = Version2Rights([
            ("media/*", [PathRule(.authenticated, .all)]), ("media/albums/*", [PathRule(.authenticated, .read)]),
        ])
        let user = FileCaller.user(identity: "r:1")
        #expect(rights.allow(.put, "media/x", to: user))
        #expect(rights.allow(.put, "media/albums", to: user))
        #expect(!rights.allow(.put, "media/albums/x", to: user))
        #expect(rights.allow(.get, "media/albums/x", to: user))
    }

    @Test("of a look-alike path, group, function or identity are another's", arguments: LookAlikes.all)
    func tellLookAlikesApart(pair: LookAlikes) {
        let rights = Version2Rights([
            ("\(pair.one)/*", [PathRule(.guest, .all)]),
            (
                "own/{entity_id}/*",
                [PathRule(.owner, .all), PathRule(.group(pair.one), .all), PathRule(.function(pair.one), .all)]
            ),
        ])
        #expect(rights.allow(.get, "\(pair.one)/x", to: .guest(identity: "g")))
        #expect(!rights.allow(.get, "\(pair.other)/x", to: .guest(identity: "g")))
        #expect(rights.allow(.get, "own/\(pair.one)/x", to: .user(identity: pair.one)))
        #expect(!rights.allow(.get, "own/\(pair.one)/x", to: .user(identity: pair.other)))
        #expect(!rights.allow(.get, "own/x", to: .member(group: pair.other, identity: "i")))
        #expect(!rights.allow(.get, "own/x", to: .function(name: pair.other)))
    }

    @Test("of paths that are of another form are nobody's", arguments: ["*", "a", "a/", "a*", ""])
    func refuseOtherPaths(path: String) {
        let rights = Version2Rights([(path, [PathRule(.guest, .all)])])
        for key in ["", "a", "a/", "a/x", "x"] { #expect(!rights.allow(.get, key, to: .guest(identity: "g"))) }
    }

    @Test("are found among many paths")
    func findAmongMany() {
        let paths = (0..<2_000).map { "folder\($0)/*" } + (0..<2_000).map { "folder\($0)/sub/*" }
        let rights = Version2Rights(
            paths.enumerated().map { ($1, [PathRule(.guest, $0 < 2_000 ? .get : .put)]) })
        for number in 0..<2_000 {
            #expect(rights.allow(.get, "folder\(number)/x", to: .guest(identity: "g")))
            #expect(rights.allow(.put, "folder\(number)/sub/x", to: .guest(identity: "g")))
            #expect(!rights.allow(.get, "folder\(number)/sub/x", to: .guest(identity: "g")))
        }
    }
}
