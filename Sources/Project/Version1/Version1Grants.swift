import Blueprint
import JSON

/// The rights that other parts of a Gen 1 project give a function's role, beside its own template.
package enum Version1Grants {
    /// The rights in Amplify's own template, whose source is in each project.
    private static let addToGroup = "add-to-group"
    private static let groupActions = [
        "cognito-idp:AdminAddUserToGroup", "cognito-idp:GetGroup", "cognito-idp:CreateGroup",
    ]
    private static let pool = FunctionVariable.Value.deployed("userPool.userPoolArn")
    private static let bucketActions = ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]

    /// - Parameter custom: the resources that the project makes in its own way, such as `custom/policies`.
    package static func grants(
        of function: Version1Function, auth: Version1Project.SignIn?, storage: Version1Storage?, folder: String,
        _ custom: [String]
    ) -> FunctionGrants {
        var grants = FunctionGrants()
        if function.modules.contains(addToGroup) {
            grants.add(FunctionGrants.Statement(groupActions, on: [pool]))
        }
        for trigger in auth?.triggers ?? [] where trigger.function.givenName == function.name {
            for given in auth?.auth.triggerGrants ?? [] where given.event == trigger.event { grants.add(given.grants) }
        }
        if let storage, storage.trigger == function.name {
            let bucket = FunctionVariable.Value.deployed("storage\(storage.name)BucketName")
            grants.add(FunctionGrants.Statement(["s3:ListBucket"], on: [.joined([.text("arn:aws:s3:::"), bucket])]))
            grants.add(
                FunctionGrants.Statement(
                    bucketActions, on: [.joined([.text("arn:aws:s3:::"), bucket, .text("/*")])]))
        }
        for name in custom { grants.add(unread: "\(name), which may attach policies") }
        return grants
    }
}
