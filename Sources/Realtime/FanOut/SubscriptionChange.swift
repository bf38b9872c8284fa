/// A subscription that began or ended on a loop, for whoever follows what happens step by step.
package struct SubscriptionChange: Sendable {
    package let hasBegun: Bool
    /// The mutations that it hears of: names of the schema.
    package let mutations: [String]
    /// How many run on the loop now.
    package let subscriptionsOnLoop: Int
}
