import Blueprint

/// A place for files, as `defineStorage({...})` in `amplify/storage/resource.ts` says it.
package struct StorageResource: Sendable, Equatable {
    package let name: String
    package var isDefault = false
    package var isVersioned = false
    /// Who may do what; nil where nothing is said of it, and then nobody may.
    package var access: [Path]?
    /// What is called when a file has come, and when one has gone.
    package var onUpload: FunctionReference?
    package var onDelete: FunctionReference?
    /// What `amplify/backend.ts` adds to these.
    package var listeners: [StorageListener] = []

    package init(name: String) { self.name = name }

    /// A path with its rules, such as `media/*`.
    package struct Path: Sendable, Equatable {
        package let path: String
        package let rules: [Rule]

        package init(path: String, rules: [Rule]) {
            self.path = path
            self.rules = rules
        }
    }

    package struct Rule: Sendable, Equatable {
        package let who: Who
        /// In the order in which they are written.
        package let actions: [Action]

        package init(who: Who, actions: [Action]) {
            self.who = who
            self.actions = actions
        }
    }

    package enum Who: Sendable, Equatable {
        case guest
        case authenticated
        case groups([String])
        /// The identity whose id stands in the path.
        case owner
        case function(FunctionReference)
    }

    package enum Action: String, Sendable, CaseIterable {
        case read, get, list, write, delete
    }

    /// What stands in a path for the id of whoever asks.
    package static let identityMark = "{entity_id}"
}

extension StorageResource.Rule {
    /// The actions with both that `read` stands for in its place, each once.
    package var plainActions: [StorageResource.Action] {
        var actions: [StorageResource.Action] = []
        for action in self.actions.flatMap({ $0 == .read ? [.get, .list] : [$0] }) where !actions.contains(action) {
            actions.append(action)
        }
        return actions
    }
}

extension Collection where Element == StorageResource {
    /// The one that clients mean who name none.
    package var usual: StorageResource? { first(where: \.isDefault) ?? (count == 1 ? first : nil) }
}
