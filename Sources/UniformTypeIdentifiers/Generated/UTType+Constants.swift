// Generated; do not edit. Made by: swift run GenerateTypeTable constants Tests/GenerateTypeTable/system-types.tsv Config/linux-types.plist
// swift-format-ignore-file

extension UTType {
    /// item: `public.item`.
    public static var item: UTType { UTType(known: "public.item") }

    /// data: `public.data`.
    public static var data: UTType { UTType(known: "public.data") }

    /// directory: `public.directory`.
    public static var directory: UTType { UTType(known: "public.directory") }

    /// content: `public.content`.
    public static var content: UTType { UTType(known: "public.content") }

    /// content: `public.composite-content`.
    public static var compositeContent: UTType { UTType(known: "public.composite-content") }

    /// executable: `public.executable`.
    public static var executable: UTType { UTType(known: "public.executable") }

    /// Unix executable: `public.unix-executable`.
    public static var unixExecutable: UTType { UTType(known: "public.unix-executable") }

    /// application: `com.apple.application`.
    public static var application: UTType { UTType(known: "com.apple.application") }

    /// file archive: `public.archive`.
    public static var archive: UTType { UTType(known: "public.archive") }

    /// Bookmark: `public.bookmark`.
    public static var bookmark: UTType { UTType(known: "public.bookmark") }

    /// database: `public.database`.
    public static var database: UTType { UTType(known: "public.database") }

    /// presentation: `public.presentation`.
    public static var presentation: UTType { UTType(known: "public.presentation") }

    /// Spreadsheet: `public.spreadsheet`.
    public static var spreadsheet: UTType { UTType(known: "public.spreadsheet") }

    /// 3D Content: `public.3d-content`.
    public static var threeDContent: UTType { UTType(known: "public.3d-content") }

    /// Universal Scene Description: `com.pixar.universal-scene-description`.
    public static var usd: UTType { UTType(known: "com.pixar.universal-scene-description") }

    /// Universal Scene Description Package: `com.pixar.universal-scene-description-mobile`.
    public static var usdz: UTType { UTType(known: "com.pixar.universal-scene-description-mobile") }

    /// Reality File: `com.apple.reality`.
    public static var realityFile: UTType { UTType(known: "com.apple.reality") }

    /// SceneKit serialized format: `com.apple.scenekit.scene`.
    public static var sceneKitScene: UTType { UTType(known: "com.apple.scenekit.scene") }

    /// AR Reference Object: `com.apple.arobject`.
    public static var arReferenceObject: UTType { UTType(known: "com.apple.arobject") }

    /// message: `public.message`.
    public static var message: UTType { UTType(known: "public.message") }

    /// email message: `public.email-message`.
    public static var emailMessage: UTType { UTType(known: "public.email-message") }

    /// to-do item: `public.to-do-item`.
    public static var toDoItem: UTType { UTType(known: "public.to-do-item") }

    /// calendar event: `public.calendar-event`.
    public static var calendarEvent: UTType { UTType(known: "public.calendar-event") }

    /// contact information: `public.contact`.
    public static var contact: UTType { UTType(known: "public.contact") }

    /// electronic business card: `public.vcard`.
    public static var vCard: UTType { UTType(known: "public.vcard") }

    /// text: `public.text`.
    public static var text: UTType { UTType(known: "public.text") }

    /// `public.plain-text`.
    public static var plainText: UTType { UTType(known: "public.plain-text") }

    /// `public.utf8-plain-text`.
    public static var utf8PlainText: UTType { UTType(known: "public.utf8-plain-text") }

    /// `public.utf16-external-plain-text`.
    public static var utf16ExternalPlainText: UTType { UTType(known: "public.utf16-external-plain-text") }

    /// `public.utf16-plain-text`.
    public static var utf16PlainText: UTType { UTType(known: "public.utf16-plain-text") }

    /// Log file: `public.log`.
    public static var log: UTType { UTType(known: "public.log") }

    /// resolvable: `com.apple.resolvable`.
    public static var resolvable: UTType { UTType(known: "com.apple.resolvable") }

    /// symbolic link: `public.symlink`.
    public static var symbolicLink: UTType { UTType(known: "public.symlink") }

    /// mount point: `com.apple.mount-point`.
    public static var mountPoint: UTType { UTType(known: "com.apple.mount-point") }

    /// bookmark: `com.apple.bookmark`.
    public static var urlBookmarkData: UTType { UTType(known: "com.apple.bookmark") }

    /// alias: `com.apple.alias-file`.
    public static var aliasFile: UTType { UTType(known: "com.apple.alias-file") }

    /// Microsoft Windows application: `com.microsoft.windows-executable`.
    public static var exe: UTType { UTType(known: "com.microsoft.windows-executable") }

    /// disk image: `public.disk-image`.
    public static var diskImage: UTType { UTType(known: "public.disk-image") }

    /// tar archive: `public.tar-archive`.
    public static var tarArchive: UTType { UTType(known: "public.tar-archive") }

    /// GZip archive: `org.gnu.gnu-zip-archive`.
    public static var gzip: UTType { UTType(known: "org.gnu.gnu-zip-archive") }

    /// Bzip2 archive: `public.bzip2-archive`.
    public static var bz2: UTType { UTType(known: "public.bzip2-archive") }

    /// Zip archive: `public.zip-archive`.
    public static var zip: UTType { UTType(known: "public.zip-archive") }

    /// Apple Archive: `com.apple.archive`.
    public static var appleArchive: UTType { UTType(known: "com.apple.archive") }

    /// URL: `public.url`.
    public static var url: UTType { UTType(known: "public.url") }

    /// file URL: `public.file-url`.
    public static var fileURL: UTType { UTType(known: "public.file-url") }

    /// internet location: `com.apple.internet-location`.
    public static var internetLocation: UTType { UTType(known: "com.apple.internet-location") }

    /// Windows Internet shortcut: `com.microsoft.internet-shortcut`.
    public static var internetShortcut: UTType { UTType(known: "com.microsoft.internet-shortcut") }

    /// delimited text values: `public.delimited-values-text`.
    public static var delimitedText: UTType { UTType(known: "public.delimited-values-text") }

    /// comma-separated values: `public.comma-separated-values-text`.
    public static var commaSeparatedText: UTType { UTType(known: "public.comma-separated-values-text") }

    /// tab-separated values: `public.tab-separated-values-text`.
    public static var tabSeparatedText: UTType { UTType(known: "public.tab-separated-values-text") }

    /// `public.utf8-tab-separated-values-text`.
    public static var utf8TabSeparatedText: UTType { UTType(known: "public.utf8-tab-separated-values-text") }

    /// rich text (RTF): `public.rtf`.
    public static var rtf: UTType { UTType(known: "public.rtf") }

    /// HTML text: `public.html`.
    public static var html: UTType { UTType(known: "public.html") }

    /// XML text: `public.xml`.
    public static var xml: UTType { UTType(known: "public.xml") }

    /// CSS: `public.css`.
    public static var css: UTType { UTType(known: "public.css") }

    /// JSON: `public.json`.
    public static var json: UTType { UTType(known: "public.json") }

    /// YAML: `public.yaml`.
    public static var yaml: UTType { UTType(known: "public.yaml") }

    /// property list: `com.apple.property-list`.
    public static var propertyList: UTType { UTType(known: "com.apple.property-list") }

    /// XML property list: `com.apple.xml-property-list`.
    public static var xmlPropertyList: UTType { UTType(known: "com.apple.xml-property-list") }

    /// binary property list: `com.apple.binary-property-list`.
    public static var binaryPropertyList: UTType { UTType(known: "com.apple.binary-property-list") }

    /// source code: `public.source-code`.
    public static var sourceCode: UTType { UTType(known: "public.source-code") }

    /// C source code: `public.c-source`.
    public static var cSource: UTType { UTType(known: "public.c-source") }

    /// Objective-C source code: `public.objective-c-source`.
    public static var objectiveCSource: UTType { UTType(known: "public.objective-c-source") }

    /// C++ source code: `public.c-plus-plus-source`.
    public static var cPlusPlusSource: UTType { UTType(known: "public.c-plus-plus-source") }

    /// Objective-C++ source code: `public.objective-c-plus-plus-source`.
    public static var objectiveCPlusPlusSource: UTType { UTType(known: "public.objective-c-plus-plus-source") }

    /// C header code: `public.c-header`.
    public static var cHeader: UTType { UTType(known: "public.c-header") }

    /// C++ header code: `public.c-plus-plus-header`.
    public static var cPlusPlusHeader: UTType { UTType(known: "public.c-plus-plus-header") }

    /// Swift Source Code: `public.swift-source`.
    public static var swiftSource: UTType { UTType(known: "public.swift-source") }

    /// script: `public.script`.
    public static var script: UTType { UTType(known: "public.script") }

    /// assembly source code: `public.assembly-source`.
    public static var assemblyLanguageSource: UTType { UTType(known: "public.assembly-source") }

    /// JavaScript: `com.netscape.javascript-source`.
    public static var javaScript: UTType { UTType(known: "com.netscape.javascript-source") }

    /// shell script: `public.shell-script`.
    public static var shellScript: UTType { UTType(known: "public.shell-script") }

    /// Perl script: `public.perl-script`.
    public static var perlScript: UTType { UTType(known: "public.perl-script") }

    /// Python script: `public.python-script`.
    public static var pythonScript: UTType { UTType(known: "public.python-script") }

    /// Ruby script: `public.ruby-script`.
    public static var rubyScript: UTType { UTType(known: "public.ruby-script") }

    /// PHP script: `public.php-script`.
    public static var phpScript: UTType { UTType(known: "public.php-script") }

    /// Makefile: `public.make-source`.
    public static var makefile: UTType { UTType(known: "public.make-source") }

    /// image: `public.image`.
    public static var image: UTType { UTType(known: "public.image") }

    /// Live Photo: `com.apple.live-photo`.
    public static var livePhoto: UTType { UTType(known: "com.apple.live-photo") }

    /// camera raw image: `public.camera-raw-image`.
    public static var rawImage: UTType { UTType(known: "public.camera-raw-image") }

    /// JPEG image: `public.jpeg`.
    public static var jpeg: UTType { UTType(known: "public.jpeg") }

    /// TIFF image: `public.tiff`.
    public static var tiff: UTType { UTType(known: "public.tiff") }

    /// PNG image: `public.png`.
    public static var png: UTType { UTType(known: "public.png") }

    /// SVG image: `public.svg-image`.
    public static var svg: UTType { UTType(known: "public.svg-image") }

    /// Apple icon image: `com.apple.icns`.
    public static var icns: UTType { UTType(known: "com.apple.icns") }

    /// audiovisual content: `public.audiovisual-content`.
    public static var audiovisualContent: UTType { UTType(known: "public.audiovisual-content") }

    /// movie: `public.movie`.
    public static var movie: UTType { UTType(known: "public.movie") }

    /// video: `public.video`.
    public static var video: UTType { UTType(known: "public.video") }

    /// audio: `public.audio`.
    public static var audio: UTType { UTType(known: "public.audio") }

    /// QuickTime movie: `com.apple.quicktime-movie`.
    public static var quickTimeMovie: UTType { UTType(known: "com.apple.quicktime-movie") }

    /// MPEG movie: `public.mpeg`.
    public static var mpeg: UTType { UTType(known: "public.mpeg") }

    /// MPEG-2 video: `public.mpeg-2-video`.
    public static var mpeg2Video: UTType { UTType(known: "public.mpeg-2-video") }

    /// MPEG-4 movie: `public.mpeg-4`.
    public static var mpeg4Movie: UTType { UTType(known: "public.mpeg-4") }

    /// protected MPEG-4 movie: `com.apple.protected-mpeg-4-video`.
    public static var appleProtectedMPEG4Video: UTType { UTType(known: "com.apple.protected-mpeg-4-video") }

    /// AVI movie: `public.avi`.
    public static var avi: UTType { UTType(known: "public.avi") }

    /// MPEG-2 Transport Stream: `public.mpeg-2-transport-stream`.
    public static var mpeg2TransportStream: UTType { UTType(known: "public.mpeg-2-transport-stream") }

    /// MP3 audio: `public.mp3`.
    public static var mp3: UTType { UTType(known: "public.mp3") }

    /// playlist: `public.playlist`.
    public static var playlist: UTType { UTType(known: "public.playlist") }

    /// M3U Playlist: `public.m3u-playlist`.
    public static var m3uPlaylist: UTType { UTType(known: "public.m3u-playlist") }

    /// MPEG-4 audio: `public.mpeg-4-audio`.
    public static var mpeg4Audio: UTType { UTType(known: "public.mpeg-4-audio") }

    /// protected MPEG-4 audio: `com.apple.protected-mpeg-4-audio`.
    public static var appleProtectedMPEG4Audio: UTType { UTType(known: "com.apple.protected-mpeg-4-audio") }

    /// AIFF audio: `public.aiff-audio`.
    public static var aiff: UTType { UTType(known: "public.aiff-audio") }

    /// MIDI audio: `public.midi-audio`.
    public static var midi: UTType { UTType(known: "public.midi-audio") }

    /// font: `public.font`.
    public static var font: UTType { UTType(known: "public.font") }

    /// AppleScript text: `com.apple.applescript.text`.
    public static var appleScript: UTType { UTType(known: "com.apple.applescript.text") }

    /// AppleScript: `com.apple.applescript.script`.
    public static var osaScript: UTType { UTType(known: "com.apple.applescript.script") }

    /// Script bundle: `com.apple.applescript.script-bundle`.
    public static var osaScriptBundle: UTType { UTType(known: "com.apple.applescript.script-bundle") }

    /// folder: `public.folder`.
    public static var folder: UTType { UTType(known: "public.folder") }

    /// volume: `public.volume`.
    public static var volume: UTType { UTType(known: "public.volume") }

    /// Package: `com.apple.package`.
    public static var package: UTType { UTType(known: "com.apple.package") }

    /// bundle: `com.apple.bundle`.
    public static var bundle: UTType { UTType(known: "com.apple.bundle") }

    /// System Preference pane: `com.apple.systempreference.prefpane`.
    public static var systemPreferencesPane: UTType { UTType(known: "com.apple.systempreference.prefpane") }

    /// framework: `com.apple.framework`.
    public static var framework: UTType { UTType(known: "com.apple.framework") }

    /// `com.apple.application-bundle`.
    public static var applicationBundle: UTType { UTType(known: "com.apple.application-bundle") }

    /// rich text with attachments (RTFD) data: `com.apple.flat-rtfd`.
    public static var flatRTFD: UTType { UTType(known: "com.apple.flat-rtfd") }

    /// rich text with attachments (RTFD): `com.apple.rtfd`.
    public static var rtfd: UTType { UTType(known: "com.apple.rtfd") }

    /// plug-in: `com.apple.plugin`.
    public static var pluginBundle: UTType { UTType(known: "com.apple.plugin") }

    /// XPC Service: `com.apple.xpc-service`.
    public static var xpcService: UTType { UTType(known: "com.apple.xpc-service") }

    /// Application and System Extension: `com.apple.application-and-system-extension`.
    public static var applicationExtension: UTType { UTType(known: "com.apple.application-and-system-extension") }

    /// Spotlight importer: `com.apple.metadata-importer`.
    public static var spotlightImporter: UTType { UTType(known: "com.apple.metadata-importer") }

    /// QuickLook preview generator: `com.apple.quicklook-generator`.
    public static var quickLookGenerator: UTType { UTType(known: "com.apple.quicklook-generator") }

    /// personal information exchange (PKCS#12): `com.rsa.pkcs-12`.
    public static var pkcs12: UTType { UTType(known: "com.rsa.pkcs-12") }

    /// certificate (X.509): `public.x509-certificate`.
    public static var x509Certificate: UTType { UTType(known: "public.x509-certificate") }

    /// web archive: `com.apple.webarchive`.
    public static var webArchive: UTType { UTType(known: "com.apple.webarchive") }

    /// EPUB publication: `org.idpf.epub-container`.
    public static var epub: UTType { UTType(known: "org.idpf.epub-container") }

    /// PDF document: `com.adobe.pdf`.
    public static var pdf: UTType { UTType(known: "com.adobe.pdf") }

    /// GIF image: `com.compuserve.gif`.
    public static var gif: UTType { UTType(known: "com.compuserve.gif") }

    /// Windows BMP image: `com.microsoft.bmp`.
    public static var bmp: UTType { UTType(known: "com.microsoft.bmp") }

    /// Windows icon image: `com.microsoft.ico`.
    public static var ico: UTType { UTType(known: "com.microsoft.ico") }

    /// WebP Image: `org.webmproject.webp`.
    public static var webP: UTType { UTType(known: "org.webmproject.webp") }

    /// OpenEXR image: `com.ilm.openexr-image`.
    public static var exr: UTType { UTType(known: "com.ilm.openexr-image") }

    /// `public.heif`.
    public static var heif: UTType { UTType(known: "public.heif") }

    /// `public.heic`.
    public static var heic: UTType { UTType(known: "public.heic") }

    /// HEIF Image Sequence: `public.heics`.
    public static var heics: UTType { UTType(known: "public.heics") }

    /// Waveform audio: `com.microsoft.waveform-audio`.
    public static var wav: UTType { UTType(known: "com.microsoft.waveform-audio") }

    /// Apple Haptics Audio Pattern: `com.apple.haptics.ahap`.
    public static var ahap: UTType { UTType(known: "com.apple.haptics.ahap") }

    /// Adobe raw image: `com.adobe.raw-image`.
    public static var dng: UTType { UTType(known: "com.adobe.raw-image") }

    /// JPEG XL image: `public.jpeg-xl`.
    public static var jpegxl: UTType { UTType(known: "public.jpeg-xl") }

    /// GeoJSON: `public.geojson`.
    public static var geoJSON: UTType { UTType(known: "public.geojson") }

    /// Link Presentation metadata: `com.apple.linkpresentation.metadata`.
    public static var linkPresentationMetadata: UTType { UTType(known: "com.apple.linkpresentation.metadata") }

    /// Markdown: `net.daringfireball.markdown`.
    public static var markdown: UTType { UTType(known: "net.daringfireball.markdown") }
}
