import Testing

@testable import Cameo

/// What stands for a file's content.
@Suite struct FingerprintTests {
    @Test func everyByteCountsAtEveryLength() {
        var seen: Set<Fingerprint> = []
        var made = 0
        for length in 0...48 {
            for place in -1..<length {
                var bytes = [UInt8](repeating: 7, count: length)
                if place >= 0 { bytes[place] = 8 }
                seen.insert(Fingerprint(size: length, head: bytes, tail: []))
                made += 1
            }
        }
        #expect(seen.count == made)
    }

    @Test func sizeAndEndCount() {
        let head = [UInt8](repeating: 0, count: 100)
        #expect(Fingerprint(size: 100, head: head, tail: []) != Fingerprint(size: 101, head: head, tail: []))
        #expect(Fingerprint(size: 200, head: head, tail: [1]) != Fingerprint(size: 200, head: head, tail: [2]))
        #expect(Fingerprint(size: 1, head: [1], tail: []).text.count == 32)
    }

    @Test func recordsReadBackAsTheyAreWritten() {
        var record = FileRecord()
        record.identity = Fingerprint(high: 1, low: 2)
        record.content = Fingerprint(high: 3, low: .max)
        record.size = 1 << 40
        record.seconds = -5
        record.twin = 9
        record.form = .film
        record.set(Place(latitude: -90, longitude: 180))
        record.set(CaptureDate(civilSeconds: -1, nanosecond: 7, offsetMinutes: -570))
        let encoded = record.encoded
        #expect(encoded.count == FileRecord.encodedLength)
        #expect(encoded.withUnsafeBytes { FileRecord(encoded: $0) } == record)
        #expect("\(record.date)" == "1969-12-31T23:59:59-09:30")
        for length in 0..<encoded.count {
            #expect(Array(encoded[..<length]).withUnsafeBytes { FileRecord(encoded: $0) } == nil)
        }
    }

    @Test func aRecordThatSaysWhatNoFileDoesIsNone() {
        func isRead(_ change: (inout FileRecord) -> Void) -> Bool {
            var record = FileRecord()
            change(&record)
            return record.encoded.withUnsafeBytes { FileRecord(encoded: $0) } != nil
        }
        #expect(isRead { _ in })
        #expect(!isRead { $0.seconds = .min })
        #expect(!isRead { $0.seconds = .max })
        #expect(!isRead { $0.size = -1 })
        #expect(!isRead { $0.nanosecond = .max })
    }

    @Test func anOffsetThatARecordCannotHoldIsNone() {
        for offset in [-36_000, 36_000, .min, .max] {
            var record = FileRecord()
            record.set(CaptureDate(civilSeconds: 0, offsetMinutes: offset))
            #expect(record.date.offsetMinutes == nil)
        }
    }

    @Test func theTimeOfAFileIsTheCalendarsAtBothEndsOfTime() {
        #expect("\(CaptureDate(modified: -1))" == "1969-12-31T23:59:59+00:00")
        #expect(CaptureDate(modified: -1).nanosecond == 999_999_999)
        #expect("\(CaptureDate(modified: .max))" == "2262-04-11T23:47:16+00:00")
        #expect("\(CaptureDate(modified: .min))" == "1677-09-21T00:12:43+00:00")
    }

    @Test func civilDaysCountAsTheCalendarDoes() {
        #expect(CaptureDate.civilDay(year: 1970, month: 1, day: 1) == 0)
        #expect(CaptureDate.civilDay(year: 2000, month: 2, day: 29) == 11_016)
        for number in stride(from: -700_000, to: 2_900_000, by: 97) {
            let (year, month, day) = CaptureDate.civil(day: number)
            #expect(CaptureDate.civilDay(year: year, month: month, day: day) == number)
        }
    }
}
