/// A version of the form of `amplify_outputs.json`, the oldest first.
package enum OutputsVersion: String, Sendable, CaseIterable, Comparable {
    case v1 = "1"
    case v1_1 = "1.1"
    case v1_2 = "1.2"
    case v1_3 = "1.3"
    case v1_4 = "1.4"
    case v1_5 = "1.5"

    /// The version that Amplify's tools write.
    static let current = OutputsVersion.v1_5

    private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: OutputsVersion, right: OutputsVersion) -> Bool { left.number < right.number }

    /// True if buckets are told of by their names, and with their rules.
    var hasBuckets: Bool { self >= .v1_1 }
    var hasPaths: Bool { self >= .v1_2 }
    /// True if groups are told of.
    var hasGroups: Bool { self >= .v1_3 }
    /// True if sign-in without a password is told of.
    var hasPasswordless: Bool { self >= .v1_4 }
}
