import Testing

@testable import Items

@Suite("Values of items")
struct ItemValueTests {}
