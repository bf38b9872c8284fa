import Cloud

@testable import UserPool

extension AssumeRoleCall {
    /// The call of a form whose parameters are decoded, as the service's table reads it.
    init(form parameters: [(name: String, value: String)]) throws(CloudError) {
        let object = try Self.form.object(of: parameters, Self.members)
        try MemberCheck.run(Self.members, on: object, in: Self.words)
        try self.init(CallInput(object))
    }
}
