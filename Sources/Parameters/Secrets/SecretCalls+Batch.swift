import Cloud
import JSON

/// The present values of several secrets.
extension SecretCalls {
    func values(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let names = input.texts("SecretIdList")
        guard (input.value("SecretIdList") == nil) != (input.value("Filters") == nil) else {
            throw .invalidSecret("Either 'SecretIdList' or 'Filters' must be provided, but not both.")
        }
        guard let names else { return try await valuesOfFilters(input) }
        guard input.value("MaxResults") == nil else {
            throw .invalidSecret(
                "'Filters' not specified. 'Filters' must also be specified when 'MaxResults' is provided.")
        }
        let asked = names.eachOnce()
        let found = try await store.found(.secret, asked.flatMap(Self.candidates))
        var (values, errors): ([JSONValue], [JSONValue]) = ([], [])
        for said in asked {
            do throws(CloudError) {
                let (name, secret) = try secret(said, in: { found[$0] })
                values.append(.object(try value(of: name, secret)))
            } catch {
                errors.append([
                    "SecretId": .string(said), "ErrorCode": .string(error.type), "Message": .string(error.message),
                ])
            }
        }
        return JSONObject([("SecretValues", .array(values)), ("Errors", .array(errors))])
    }

    private func valuesOfFilters(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (page, goesOn) = try await page(input, Int64(ParameterLimits.batchMax))
        var values: [JSONValue] = []
        for entry in page { values.append(.object(try value(of: entry.name, entry.secret))) }
        var answer = JSONObject([("SecretValues", .array(values)), ("Errors", [])])
        if goesOn, let last = page.last { answer.set("NextToken", to: NameToken.text(behind: last.place)) }
        return answer
    }
}
