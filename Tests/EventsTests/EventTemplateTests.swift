import JSON
import Testing

@testable import Events

@Suite("Templates of targets")
struct EventTemplateTests {
    private static let event = """
        {"source": "shop", "detail-type": "Ordered", "resources": ["r1", "r2"],
         "detail": {"total": 99.5, "state": "New York", "file": "a/b/photo.png", "ip": "10.1.2.3", "six": "2001:db8::5", "none": null,
          "isNew": true, "tags": ["x", "y"], "items": [{"id": 1, "kind": "book"}, {"id": 2, "kind": "pen"}], "empty": []}}
        """

    @Test(
        "objects and lists have no quotes within a text, and cannot be in a text of an object",
        arguments: [
            (#""Payload of <all> and <id>""#, #""Payload of {acc_id:0,sf_id:baz} and 0""#),
            (#""<list>!""#, #""[HIGH,LOW]!""#),
            (#""<none>.""#, #"".""#), (#""Is <flag>""#, #""Is true""#),
            (#"{"a": <all>}"#, #"{"a": {"acc_id":"0","sf_id":"baz"}}"#),
            (#"{"a": [<id>, <list>, <none>]}"#, #"{"a": ["0", ["HIGH","LOW"], ""]}"#),
            (#"{"a": "<all>"}"#, nil), (#"{"a": "of <list>", "b": <all>}"#, nil),
            (#" {"a": "<id><none>"}"#, #" {"a": "0"}"#),
            (#"{"e": <aws.events.event>}"#, #"{"e": {"detailType":"T","source":"s"}}"#),
            (
                #"{"e": <aws.events.event.json>}"#,
                #"{"e": {"detail-type":"T","source":"s","detail":{"all":{"acc_id":"0","sf_id":"baz"},"list":["HIGH","LOW"],"flag":true}}}"#
            ),
        ] as [(String, String?)])
    func texts(_ template: String, _ told: String?) throws {
        let event = try JSONReader.value(
            of:
                #"{"detail-type": "T", "source": "s", "detail": {"all": {"acc_id": "0", "sf_id": "baz"}, "list": ["HIGH", "LOW"], "flag": true}}"#
        )
        let template = try EventTemplate(
            template,
            paths: [
                ("all", "$.detail.all"), ("id", "$.detail.all.acc_id"), ("list", "$.detail.list"),
                ("none", "$.detail.none"),
                ("flag", "$.detail.flag"),
            ])
        #expect(template.told(of: event, ruleARN: "", ruleName: "") == told)
    }

    @Test("templates put values of the event in, as they are or into a text")
    func templates() throws {
        let template = try EventTemplate(
            #"{"total": <total>, "text": "<state> has \"<tags>\"", "gone": <gone>, "rule": "<aws.events.rule-name>", "x": "<y>"}"#,
            paths: [
                ("total", "$.detail.total"), ("state", "$.detail.state"), ("tags", "$.detail.tags[0]"),
                ("gone", "$.no"),
            ])
        let told = template.told(of: try JSONReader.value(of: Self.event), ruleARN: "arn", ruleName: "r")
        #expect(
            told == #"{"total": 99.5, "text": "New York has \"x\"", "gone": "", "rule": "r", "x": "<y>"}"#)
        // What stands in a text cannot end it.
        let quoting = try EventTemplate(#"{"a": "<a>"}"#, paths: [("a", "$.a")])
        let value = quoting.told(of: ["a": #"x", "b": "y"#], ruleARN: "", ruleName: "")
        #expect(try JSONReader.value(of: value ?? "") == ["a": #"x", "b": "y"#])
    }
}
