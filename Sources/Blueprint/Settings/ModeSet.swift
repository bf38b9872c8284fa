/// A set of authorization modes.
struct ModeSet: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ mode: AuthMode) {
        rawValue =
            switch mode {
            case .apiKey: 1
            case .iam: 2
            case .oidc: 4
            case .userPools: 8
            case .lambda: 16
            }
    }

    func contains(_ mode: AuthMode) -> Bool { contains(ModeSet(mode)) }
}
