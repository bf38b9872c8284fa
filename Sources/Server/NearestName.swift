import Blueprint

/// Finds the name that somebody meant who wrote another one.
package enum NearestName {
    /// The candidate nearest to `name`, or nil when none is near enough to be worth a question.
    package static func of(_ name: String, in candidates: some Sequence<String>) -> String? {
        Suggestions.list(for: name, among: candidates, threshold: max(1, name.utf8.count / 3)).first
    }
}
