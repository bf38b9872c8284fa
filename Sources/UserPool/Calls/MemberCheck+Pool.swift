import Cloud
import JSON

extension MemberCheck {
    /// Throws in Cognito's words where a member has the wrong type, or some break their constraints.
    static func run(_ members: [MemberShape.Member], on request: JSONObject) throws(PoolError) {
        do throws(CloudError) { try run(members, on: request, in: words) } catch {
            throw PoolError(error.type, error.message)
        }
    }

    private static let words = ServiceWords(invalid: CloudError("InvalidParameterException", ""))
}
