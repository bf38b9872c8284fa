import Cloud
import JSON

extension CallForm {
    /// The input of a call, within the limits of this room.
    static func input(of parameters: [(name: String, value: String)]) throws(OutboxError) -> JSONObject {
        do throws(CloudError) {
            return try CallForm(
                parameters, max: OutboxLimits.parametersMax, nestingMax: OutboxLimits.nestingMax
            ).object
        } catch {
            throw OutboxError(error.code, error.message)
        }
    }
}
