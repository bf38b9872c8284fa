import Testing

@testable import Access

@Suite("A service outside")
struct OutsideServiceTests {
    @Test("a field of an answer is found in any case")
    func fields() {
        let response = OutsideResponse(status: 200, fields: [("Content-Type", "a"), ("content-type", "b")], body: [])
        #expect(response.field("CONTENT-TYPE") == "a")
        #expect(response.field("date") == nil)
    }
}
