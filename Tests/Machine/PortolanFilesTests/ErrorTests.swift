import Glibc
import PortolanValues
import Testing

@testable import PortolanFiles

@Suite struct FileErrorTests {
    private static let numbers: [(Int32, FileError.Kind)] = [
        (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EROFS, .readOnly), (EACCES, .notPermitted), (EPERM, .notPermitted),
        (ENOENT, .destinationGone), (ESTALE, .destinationGone), (ELOOP, .tamperedWith), (ENOTDIR, .tamperedWith),
        (EXDEV, .tamperedWith), (ENAMETOOLONG, .nameRefused), (EINVAL, .inputOutput), (EILSEQ, .nameRefused),
        (EFBIG, .tooLarge), (EMFILE, .tooManyOpenFiles), (EIO, .inputOutput), (ENOMEM, .inputOutput),
        (ECANCELED, .stopped),
    ]

    @Test(arguments: numbers) func everyStoringFailureIsOneSafeSentence(_ number: Int32, _ kind: FileError.Kind) {
        let error = FileError.storing(DisplayText("evil\u{1B}[2J\n"), SystemFailure(number))
        #expect(error.kind == kind)
        #expect(DisplayText.isHarmless(error.description) && error.description.last == ".")
    }

    @Test(arguments: [ENAMETOOLONG, EINVAL, EILSEQ]) func refusedNameIsDistinguishedFromOtherFailures(_ number: Int32) {
        #expect(FileError.storing(DisplayText("x"), SystemFailure(number).ofNaming).kind == .nameRefused)
    }

    @Test(arguments: [
        (ENOENT, FileError.Kind.notFound), (EACCES, .unreadable), (ELOOP, .notFound), (EIO, .inputOutput),
        (EMFILE, .tooManyOpenFiles),
    ])
    func everyReadingFailureIsOneSafeSentence(_ number: Int32, _ kind: FileError.Kind) {
        let error = FileError.reading(DisplayText("evil\u{202E}"), SystemFailure(number))
        #expect(error.kind == kind)
        #expect(DisplayText.isHarmless(error.description) && error.description.last == ".")
    }

    @Test func omissionsReadAsSentences() {
        for reason in Loss.Reason.allCases {
            let text = Loss(path: "a/b\u{7}", reason: reason).description
            #expect(text.hasPrefix("a/b\\u{7}: ") && DisplayText.isHarmless(text))
            #expect(reason.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D })
        }
    }
}
