// Generated; do not edit. Made by: swift run GenerateTypeTable converters Config/debian-converters.plist
// swift-format-ignore-file

extension ConverterDeclarations {
    /// The converters that come with Portolan, for programs that Debian has.
    package static let shipped: [Converter] = [
        Converter(shippedFrom: "public.heic", to: "public.jpeg", command: ["heif-convert", "-q", "90", "{input}", "{output}"]),
        Converter(shippedFrom: "public.heic", to: "public.png", command: ["heif-convert", "{input}", "{output}"]),
        Converter(shippedFrom: "public.avif", to: "public.png", command: ["avifdec", "{input}", "{output}"]),
        Converter(shippedFrom: "public.jpeg-xl", to: "public.png", command: ["djxl", "{input}", "{output}"]),
        Converter(shippedFrom: "org.webmproject.webp", to: "public.png", command: ["dwebp", "-quiet", "{input}", "-o", "{output}"]),
        Converter(shippedFrom: "public.svg-image", to: "public.png", command: ["rsvg-convert", "--format=png", "--output={output}", "{input}"]),
        Converter(shippedFrom: "public.svg-image", to: "com.adobe.pdf", command: ["rsvg-convert", "--format=pdf", "--output={output}", "{input}"]),
        Converter(shippedFrom: "public.tiff", to: "public.png", command: ["convert", "tiff:{input}[0]", "png:{output}"]),
        Converter(shippedFrom: "com.microsoft.bmp", to: "public.png", command: ["convert", "bmp:{input}", "png:{output}"]),
        Converter(shippedFrom: "net.daringfireball.markdown", to: "public.html", command: ["cmark", "--to", "html", "{input}"]),
        Converter(shippedFrom: "net.daringfireball.markdown", to: "public.html", command: ["pandoc", "--sandbox", "--from=markdown", "--to=html5", "--output={output}", "{input}"]),
        Converter(shippedFrom: "org.openxmlformats.wordprocessingml.document", to: "public.html", command: ["pandoc", "--sandbox", "--from=docx", "--to=html5", "--output={output}", "{input}"]),
        Converter(shippedFrom: "org.openxmlformats.wordprocessingml.document", to: "public.utf8-plain-text", command: ["pandoc", "--sandbox", "--from=docx", "--to=plain", "--output={output}", "{input}"]),
        Converter(shippedFrom: "org.oasis-open.opendocument.text", to: "public.html", command: ["pandoc", "--sandbox", "--from=odt", "--to=html5", "--output={output}", "{input}"]),
        Converter(shippedFrom: "com.adobe.pdf", to: "public.utf8-plain-text", command: ["pdftotext", "-enc", "UTF-8", "{input}", "{output}"]),
        Converter(shippedFrom: "com.adobe.postscript", to: "com.adobe.pdf", command: ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-sOutputFile={output}", "{input}"]),
        Converter(shippedFrom: "com.microsoft.waveform-audio", to: "org.xiph.flac", command: ["ffmpeg", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "file", "-i", "{input}", "-f", "flac", "{output}"], timeLimit: .seconds(300)),
        Converter(shippedFrom: "com.microsoft.waveform-audio", to: "public.mp3", command: ["ffmpeg", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "file", "-i", "{input}", "-q:a", "2", "-f", "mp3", "{output}"], timeLimit: .seconds(300)),
        Converter(shippedFrom: "org.xiph.flac", to: "public.mp3", command: ["ffmpeg", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "file", "-i", "{input}", "-vn", "-q:a", "2", "-f", "mp3", "{output}"], timeLimit: .seconds(300)),
    ]
}
