import FeedFormats

/// What is read of a date is written and read again as the same.
enum DateChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        let text = String(decoding: input, as: UTF8.self)
        guard let date = FeedDate(parsing: text) else { return }
        try require(FeedDate(parsing: date.text) == date, "\(text) is \(date.text)")
        let second = date.milliseconds >= 0 ? date.milliseconds / 1000 : nil
        if let second {
            let mail = FeedDate(seconds: second)
            try require(FeedDate(parsing: mail.mailText) == mail, "\(text) is \(mail.mailText)")
        }
    }
}
