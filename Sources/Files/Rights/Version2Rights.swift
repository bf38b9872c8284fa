import JSON

/// The rights that `defineStorage` gives: rules on paths.
///
/// The longest path that a key begins with decides alone; what its parent allows does not count. `{entity_id}` stands for the
/// caller's identity in rules for owners, and for anything in the others: `c/{entity_id}/*` opens all of `c/` to them. A rule for owners
/// on a path without it is one for all who have signed in.
///
/// A list is decided by its prefix, like a key. As in S3, a list of `media/` names what is below `media/private/` too where
/// there is another path for that.
package struct Version2Rights: FileRights {
    package static let ownerMark = "{entity_id}"

    /// Sorted by bytes, so that the longest path that a key begins with is the one in front of the key's place, or above it.
    private let folders: [Folder]

    /// A path up to its `*` or `{entity_id}`, with what is allowed there.
    private struct Folder: Sendable {
        let path: String
        /// The place of the longest folder that this one is in.
        var parent: Int?
        var guests: FileActions = []
        var users: FileActions = []
        var owners: FileActions = []
        var groups: [ByteText: FileActions] = [:]
        var functions: [ByteText: FileActions] = [:]

        init(path: String) { self.path = path }

        mutating func add(_ rule: PathRule) {
            switch rule.who {
            case .guest: guests.formUnion(rule.actions)
            case .authenticated: users.formUnion(rule.actions)
            case .owner: owners.formUnion(rule.actions)
            case .group(let name): groups[name, default: []].formUnion(rule.actions)
            case .function(let name): functions[name, default: []].formUnion(rule.actions)
            }
        }
    }

    /// Rules by their paths, which end in `/*`. Others match nothing: those who read them have told so.
    package init(_ rules: [(path: String, rules: [PathRule])]) {
        var folders: [ByteText: Folder] = [:]
        for (path, rules) in rules {
            guard let start = Self.folder(of: path) else { continue }
            var folder = folders[start] ?? Folder(path: start)
            // Without an id in the path Amplify gives the role of all who have signed in what a rule for owners says.
            let isOwned = path.contains(bytesOf: Self.ownerMark)
            for rule in rules {
                if !isOwned, case .owner = rule.who {
                    folder.add(PathRule(.authenticated, rule.actions))
                } else {
                    folder.add(rule)
                }
            }
            folders[start] = folder
        }
        var sorted = folders.sorted { $0.key < $1.key }.map(\.value)
        var above: [Int] = []
        for place in sorted.indices {
            while let last = above.last, !sorted[place].path.hasPrefix(sorted[last].path) { above.removeLast() }
            sorted[place].parent = above.last
            above.append(place)
        }
        self.folders = sorted
    }

    /// `c/` of `c/*` and of `c/{entity_id}/*`; nil where the path is of another form.
    private static func folder(of path: String) -> String? {
        guard path.hasSuffix("/*") else { return nil }
        let start = String(decoding: path.utf8.dropLast(), as: UTF8.self)
        let owned = "/\(ownerMark)/"
        guard start.hasSuffix(owned) else { return start }
        return String(decoding: start.utf8.dropLast(owned.utf8.count - 1), as: UTF8.self)
    }

    package func allow(_ action: FileAction, _ key: String, to caller: FileCaller) -> Bool {
        if case .administrator = caller { return true }
        guard let folder = folder(holding: key) else { return false }
        return switch caller {
        case .anonymous: false
        case .administrator: true
        case .guest: folder.guests.allow(action)
        case .user(let identity):
            folder.users.allow(action)
                || folder.owners.allow(action) && OwnFolder.holds(key, below: folder.path, of: identity)
        case .member(let group, _): folder.groups[group]?.allow(action) ?? false
        case .function(let name, _): folder.functions[name]?.allow(action) ?? false
        }
    }

    /// The longest folder that the key begins with.
    private func folder(holding key: String) -> Folder? {
        let key = ByteText(key)
        var low = 0
        var high = folders.count
        while low < high {
            let middle = (low + high) / 2
            if key < ByteText(folders[middle].path) { high = middle } else { low = middle + 1 }
        }
        var place: Int? = low > 0 ? low - 1 : nil
        while let found = place {
            if key.string.hasPrefix(folders[found].path) { return folders[found] }
            place = folders[found].parent
        }
        return nil
    }
}
