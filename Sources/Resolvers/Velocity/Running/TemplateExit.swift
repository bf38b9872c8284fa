/// How a part of a template ends before its end.
enum TemplateExit: Error {
    /// `#break`
    case leave
    /// `#stop`
    case stop
    /// `#return`; the run has the value.
    case returned
    /// `$util.error` and its like, and faults.
    case failed(ResolverError)
}
