import JSON
import Testing

@testable import Outbox

@Suite("Templates of mails")
struct MailTemplateTests {
    private static let data: JSONValue = [
        "name": "Änn", "count": 3, "is": true, "none": [], "a": ["b": "c"], "list": [["n": "1"], ["n": "2"]],
        "words": ["x", "y"], "zero": 0, "html": "<b>",
    ]

    static let good: [(String, String)] = [
        ("", ""), ("plain { text }", "plain { text }"), ("Hi {{name}}!", "Hi Änn!"), ("{{ name }}{{{html}}}", "Änn<b>"),
        ("{{count}} {{is}} {{a.b}}", "3 true c"), ("{{#if is}}yes{{else}}no{{/if}}", "yes"),
        ("{{#if nothing}}yes{{else}}no{{/if}}", "no"), ("{{#if zero}}yes{{/if}}", ""),
        ("{{#unless none}}e{{/unless}}", "e"),
        ("{{#each list}}{{n}},{{name}};{{/each}}", "1,Änn;2,Änn;"), ("{{#each words}}{{this}}{{/each}}", "xy"),
        ("{{#each none}}x{{else}}none{{/each}}", "none"),
    ]

    @Test("have their data in its places", arguments: good)
    func fills(template: String, text: String) throws {
        #expect(try MailTemplate(template).rendered(with: Self.data) == text)
    }

    @Test(
        "are refused where they are none",
        arguments: [
            "{{", "{{name", "{{#if x}}", "{{/if}}", "{{#if x}}{{/each}}", "{{else}}", "{{#with x}}{{/with}}", "{{}}",
            "{{#if}}{{/if}}", "{{a..b}}", "{{#if x}}{{else}}{{else}}{{/if}}",
            String(repeating: "{{#if x}}", count: 20) + String(repeating: "{{/if}}", count: 20),
            String(repeating: "x", count: OutboxLimits.templateBytesMax + 1),
        ])
    func wrong(template: String) throws {
        #expect { try MailTemplate(template) } throws: { ($0 as? OutboxError)?.code == "InvalidTemplate" }
    }

    @Test("say which data is missing, and become no longer than they may")
    func missing() throws {
        #expect { try MailTemplate("{{a.x}}").rendered(with: Self.data) } throws: {
            ($0 as? MailTemplate.Fault)?.description == "Attribute 'a.x' is not present in the rendering data."
        }
        let items = JSONValue.array(Array(repeating: "x", count: 3_000))
        let long = "{{#each l}}\(String(repeating: "y", count: 1_000)){{/each}}"
        #expect { try MailTemplate(long).rendered(with: ["l": items]) } throws: {
            ($0 as? MailTemplate.Fault)?.description.contains("longer than") == true
        }
        // Lists in lists that write nothing end too.
        let nested = "{{#each l}}{{#each l}}{{#each l}}{{/each}}{{/each}}{{/each}}"
        #expect { try MailTemplate(nested).rendered(with: ["l": items]) } throws: {
            ($0 as? MailTemplate.Fault)?.description.contains("pieces") == true
        }
    }
}
