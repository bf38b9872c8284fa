/// What a path's rule allows to whom, as `defineStorage` has it.
package struct PathRule: Sendable {
    package let who: Who
    package let actions: FileActions

    package enum Who: Sendable {
        case guest
        /// Everybody who has signed in, but for members of groups.
        case authenticated
        /// The identity whose id stands in the path in place of `{entity_id}`. Like `authenticated`, this says nothing to
        /// members of groups.
        case owner
        case group(String)
        case function(String)
    }

    package init(_ who: Who, _ actions: FileActions) {
        self.who = who
        self.actions = actions
    }
}
