import JSON

extension Schedule {
    /// The event of a call: the input of the schedule, or else the event that a rule of EventBridge or its scheduler sends.
    package func event(
        named name: String, at seconds: Int64, id: String, region: String, accountID: String
    ) -> [UInt8] {
        if let input { return Array(input.utf8) }
        let isOfRule = sender == .rule
        let arn = ARN(
            isOfRule ? "events" : "scheduler", region: region, account: accountID,
            isOfRule ? "rule/\(name)" : "schedule/default/\(name)")
        return JSONWriter.bytes(
            of: [
                "version": "0", "id": .string(id), "detail-type": "Scheduled Event",
                "source": isOfRule ? "aws.events" : "aws.scheduler", "account": .string(accountID),
                "time": .string(Timestamp(seconds: seconds).text.replacing(bytesOf: ".000Z", with: "Z")),
                "region": .string(region), "resources": [.string(arn.description)],
                "detail": isOfRule ? .object(JSONObject()) : "{}",
            ])
    }
}
