import GraphQL

/// Finds the one name that somebody meant who wrote another one: a setting, an option, a change.
package enum NearestName {
    /// The candidate nearest to `name`, or nil when none is near enough to be worth a question. Where one name is asked about
    /// alone, it has to be nearer than the alternatives that a message about a schema lists.
    package static func of(_ name: String, in candidates: some Sequence<String>) -> String? {
        Suggestions.list(for: name, among: candidates, threshold: max(1, name.utf8.count / 3)).first
    }
}
