import Crypto
import JSON
import TestSupport
import Testing

@testable import Server

@Suite("Exports that others write")
struct ForeignExportTests {
    /// What moto 5 writes for `export_table_to_point_in_time`: no manifests, and a name without a table.
    private static let moto =
        "H4sIAFM9C2sC/6tW8ixJzVWyUqhWykwBU8FAUqnEQKlWR0EpPr6ksiA1LzE3FSEVkp+SD5YsSszLBgv7gYQhGkoS04shSkFqo5USlYCCSUqxILnc1JJE"
        + "sJwvmKxA6DXUMwXrjik1MEi1RFgF4qclK9XWgiRT8vMgrnDy9/cBMkqKSlNB4nn5JRBxv1AfuHhtLVc1Dp8Zkuozw6HiMyNSfWY02HwGAFcRuDCOAgAA"

    @Test("moto's come as DynamoDB's")
    func exports() throws {
        let world = try MoveWorld()
        let bytes = try #require(Base64.bytes(of: Self.moto.utf8, .standard))
        try ExportedTable.put(bytes, to: world.folder.file("exports/AWSDynamoDB/058c9be1/data/f51e1e2b.gz"))
        let said = try world.moveIn()
        #expect(said.code == .success, "\(said.all)")
        let records = try world.records()
        #expect(records.count == 3)
        #expect(
            records.first
                == #"{"type":"Todo","record":{"id":"t0","done":true,"rank":0,"tags":["a","b"],"meta":{"x":1.5,"é":"ü"},"note":null}}"#
        )
    }

    @Test("a pool is printed as configuration")
    func pool() throws {
        let world = try MoveWorld()
        try world.folder.write(
            #"{"UserPool":{"Id":"us-east-1_abcDEF123","UsernameAttributes":["email"],"Policies":{"PasswordPolicy":{"MinimumLength":8,"RequireUppercase":true}},"SchemaAttributes":[{"Name":"custom:plan"}]}}"#,
            to: "pool.json")
        try world.folder.write(
            #"{"UserPoolClient":{"ClientId":"abc","CallbackURLs":["https://a.example/"]}}"#, to: "client.json")
        let said = try world.moveIn {
            $0.tables = []
            $0.pool = [world.folder.file("pool.json"), world.folder.file("client.json")]
        }
        #expect(said.code == .success, "\(said.all)")
        #expect(
            said.output.contains(
                #"{"auth":{"pool":{"userPoolId":"us-east-1_abcDEF123","signIn":["email"],"caseSensitive":true,"password":{"minLength":8,"uppercase":true},"customAttributes":{"plan":{}},"clients":[{"id":"abc","callbackUrls":["https://a.example/"]}]}}}"#
            ), "\(said.all)")
    }
}
