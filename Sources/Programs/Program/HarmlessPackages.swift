import Project

/// Packages whose functions keep what they are given and change nothing of it before `defineBackend`: those of the CDK, of
/// Amplify and of AWS's clients, and those that describe values.
enum HarmlessPackages {
    private static let names = [
        "aws-cdk-lib", "constructs", "aws-amplify", "aws-lambda", "source-map-support", "server-only", "client-only",
        "zod", "yup", "joi", "valibot",
    ]
    private static let scopes = ["@aws-cdk/", "@aws-amplify/", "@aws-sdk/", "@smithy/", "@types/"]

    /// - Parameter address: that of a module, as `ProgramRun.resolve` gives it.
    static func contain(_ address: String) -> Bool {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = address.utf8[address.utf8.index(after: colon)...]
        return scopes.contains { name.starts(with: $0.utf8) }
            || names.contains { name.starts(with: $0.utf8) && Self.ends(name.dropFirst($0.utf8.count)) }
    }

    private static func ends(_ rest: Substring.UTF8View.SubSequence) -> Bool {
        rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}
