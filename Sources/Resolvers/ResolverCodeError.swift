/// Why a text is no resolver's code: what AppSync says when somebody saves it.
package struct ResolverCodeError: Error, Sendable, Equatable {
    package enum Kind: String, Sendable {
        case parser = "PARSER_ERROR"
        case lint = "LINT_ERROR"
        /// It reads well and cannot run: a name or a construct that the runtime lacks, an export that is missing.
        case validation = "VALIDATION_ERROR"
    }

    /// One mistake, or one warning.
    package struct Finding: Sendable, Equatable {
        package var kind: Kind
        /// Which rule of the lint; nil: none of them.
        package var rule: String?
        package var message: String
        package var place: ResolverPlace

        package init(_ kind: Kind, rule: String? = nil, _ message: String, at place: ResolverPlace) {
            self.kind = kind
            self.rule = rule
            self.message = message
            self.place = place
        }
    }

    /// In the order of the text; at least one.
    package var findings: [Finding]

    package init(_ findings: [Finding]) {
        self.findings = findings
    }

    /// As AppSync words the refusal; `findings` have the detail.
    package var message: String { "The code contains one or more errors." }
}
