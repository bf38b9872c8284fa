import Access

/// Who asks for files, and what of the request they have signed.
package struct FileProof: Sendable {
    /// Nil for a request that nobody has signed.
    package let principal: IAMPrincipal?
    /// True if the query signs it: a link, which anybody may open who has it.
    package let isLink: Bool
    /// What is claimed about the body.
    package let payload: PayloadClaim
    /// The query as it was meant by who signed it.
    package let query: FileQuery
    /// The parameters of a link that stand for fields of the head, by their names in lower case: what would be in
    /// `x-amz-meta-…` and the like. Checksums are none of them: they were computed before there was a body.
    package let linkFields: [(name: String, value: String)]
}
