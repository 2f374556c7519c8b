import Testing

@testable import Transfer

struct RemoteAddressTests {
    @Test(
        "An address falls into its parts, and shows none that may be secret",
        arguments: [
            ("https://h.org/a/b.jpg", "https://h.org/a/b.jpg", nil),
            ("HTTP://h:81/a?X-Amz-Signature=1234#x", "http://h:81/a", "X-Amz-Signature=1234"),
            ("http://h", "http://h/", nil), ("http://h?q", "http://h/", "q"),
            ("s3://bucket/a b?#é.jpg", "s3://bucket/a b?#é.jpg", nil), ("http://[::1]:8/x", "http://[::1]:8/x", nil),
        ])
    func parts(text: String, shown: String, query: String?) throws {
        let address = try RemoteAddress(text)
        #expect(address.shown == shown && address.query == query && RemoteAddress.isAddress(text))
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "a.jpg", "ftp://h/a", "http:///a", "http://u:p@h/a", "http://h/a b", "http://h/\r\nHost: x", "s3:///k",
            "s3://1249763844#/k", "s3://bucket?x/k", "s3://bucket:80/k", "s3://[::1]/k", "s3://bücket/k", "s3://ab/k",
            "s3://\(String(repeating: "a", count: 256))/k", "s3://bu%63ket/k",
        ])
    func refused(text: String) {
        #expect(throws: TransferError.self) { try RemoteAddress(text) }
    }

    @Test("What is refused is shown without its secrets too")
    func shown() {
        #expect(RemoteAddress.shown("http://user:pa@ss@h/a b?sig=1") == "http://h/a b")
        #expect(RemoteAddress.shown("https://h/a?token=secret") == "https://h/a")
        #expect(RemoteAddress.shown("words") == "words")
    }

    @Test("Names are appended, encoded for the web and as they are for a store")
    func appending() throws {
        let name = Array("d/ü b%?.jpg".utf8)
        #expect(try RemoteAddress("http://h/p").appending(name).shown == "http://h/p/d/%C3%BC%20b%25%3F.jpg")
        #expect(try RemoteAddress("s3://bucket/p/").appending(name).path == "/p/d/ü b%?.jpg")
        #expect(try RemoteAddress("s3://bucket").appending(name).path == "/d/ü b%?.jpg")
    }

    @Test("Names that are no text are different keys of a store", arguments: ["s3://bucket/p", "http://h/p"])
    func bytes(base: String) throws {
        let names: [[UInt8]] = [[0x66, 0xFF], [0x66, 0xFE], [0x66, 0xEF, 0xBF, 0xBD]]
        let paths = try names.map { try RemoteAddress(base).appending($0).path }
        #expect(paths[0] == "/p/f%FF" && paths[1] == "/p/f%FE" && Set(paths).count == 3)
    }

    @Test("A store's address is what its server or Amazon wants")
    func stores() throws {
        let address = try RemoteAddress("s3://bucket/k y")
        let own = S3Access { ["AWS_ENDPOINT_URL": "http://127.0.0.1:9/", "AWS_ACCESS_KEY_ID": "i"][$0] }
        #expect(own.url(of: address) == "http://127.0.0.1:9/bucket/k%20y" && own.credentials == nil)
        let amazon = S3Access {
            ["AWS_REGION": "eu-x", "AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s"][$0]
        }
        #expect(amazon.url(of: address) == "https://bucket.s3.eu-x.amazonaws.com/k%20y" && amazon.credentials == "i:s")
        #expect(amazon.url(of: try RemoteAddress("s3://b.c/k")) == "https://s3.eu-x.amazonaws.com/b.c/k")
    }
}

struct AddressRangeTests {
    @Test(
        "This machine, its neighbours and what is no host are private",
        arguments: [
            "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
            "0.0.0.0", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1",
            "fe80::1%eth0",
            "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.1.1.1", "64:ff9b::7f00:1", "2002:7f00:1::1",
            "words", "",
        ])
    func inside(text: String) { #expect(AddressRange.isPrivate(text)) }

    @Test(
        "What the internet gives out is public",
        arguments: [
            "1.1.1.1", "8.8.8.8", "172.32.0.1", "172.15.0.1", "11.0.0.1", "192.169.0.1", "100.128.0.1", "128.0.0.1",
            "2606:4700::1111", "::ffff:8.8.8.8", "2002:808:808::1",
        ])
    func outside(text: String) { #expect(!AddressRange.isPrivate(text)) }
}
