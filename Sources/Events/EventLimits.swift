/// How much events may be.
package enum EventLimits {
    /// A call, and what an event of it may have.
    package static let bodyBytesMax = 2 << 20
    package static let nestingMax = 64
    static let entriesMax = 10
    static let entriesBytesMax = 1 << 20
    static let resourcesMax = 1_000
    /// The name of a bus, which may be an ARN.
    static let busCharactersMax = 1_600
    static let pageMax: Int64 = 100
    /// The bounds of what calls make: buses, rules of all buses together, and targets of a rule.
    package static let madeBusesMax = 100
    package static let madeRulesMax = 300
    package static let targetsMax = 5
    static let patternBytesMax = 4_096
    static let tagsMax = 50
    /// The policy of a bus.
    static let policyBytesMax = 10_240
    static let readMilliseconds: Int64 = 5_000
    /// The bounds of templates.
    static let templateBytesMax = 8_192
    static let toldBytesMax = 1 << 20
    static let pathsMax = 100
    static let pathStepsMax = 64
}
