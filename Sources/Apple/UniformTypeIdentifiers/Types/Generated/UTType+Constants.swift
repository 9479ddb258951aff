// Generated; do not edit. Made by: swift run GenerateTypeTable constants Tests/Generators/GenerateTypeTable/system-types.tsv Config/linux-types.plist
// swift-format-ignore-file

extension UTType {
    /// anything stored or sent: `public.item`.
    public static var item: UTType { UTType("public.item", row: 660) }

    /// bytes of any kind: `public.data`.
    public static var data: UTType { UTType("public.data", row: 613) }

    /// directory of any kind: `public.directory`.
    public static var directory: UTType { UTType("public.directory", row: 617) }

    /// content of any kind: `public.content`.
    public static var content: UTType { UTType("public.content", row: 609) }

    /// content of several kinds: `public.composite-content`.
    public static var compositeContent: UTType { UTType("public.composite-content", row: 606) }

    /// something that can be run: `public.executable`.
    public static var executable: UTType { UTType("public.executable", row: 633) }

    /// Unix program: `public.unix-executable`.
    public static var unixExecutable: UTType { UTType("public.unix-executable", row: 737) }

    /// app: `com.apple.application`.
    public static var application: UTType { UTType("com.apple.application", row: 32) }

    /// archive: `public.archive`.
    public static var archive: UTType { UTType("public.archive", row: 573) }

    /// saved place: `public.bookmark`.
    public static var bookmark: UTType { UTType("public.bookmark", row: 587) }

    /// database: `public.database`.
    public static var database: UTType { UTType("public.database", row: 614) }

    /// slides: `public.presentation`.
    public static var presentation: UTType { UTType("public.presentation", row: 707) }

    /// spreadsheet: `public.spreadsheet`.
    public static var spreadsheet: UTType { UTType("public.spreadsheet", row: 718) }

    /// 3D model: `public.3d-content`.
    public static var threeDContent: UTType { UTType("public.3d-content", row: 516) }

    /// USD scene: `com.pixar.universal-scene-description`.
    public static var usd: UTType { UTType("com.pixar.universal-scene-description", row: 411) }

    /// USDZ scene: `com.pixar.universal-scene-description-mobile`.
    public static var usdz: UTType { UTType("com.pixar.universal-scene-description-mobile", row: 412) }

    /// Reality scene: `com.apple.reality`.
    public static var realityFile: UTType { UTType("com.apple.reality", row: 295) }

    /// SceneKit scene: `com.apple.scenekit.scene`.
    public static var sceneKitScene: UTType { UTType("com.apple.scenekit.scene", row: 299) }

    /// AR object scan: `com.apple.arobject`.
    public static var arReferenceObject: UTType { UTType("com.apple.arobject", row: 39) }

    /// message: `public.message`.
    public static var message: UTType { UTType("public.message", row: 670) }

    /// e-mail: `public.email-message`.
    public static var emailMessage: UTType { UTType("public.email-message", row: 631) }

    /// task: `public.to-do-item`.
    public static var toDoItem: UTType { UTType("public.to-do-item", row: 731) }

    /// calendar entry: `public.calendar-event`.
    public static var calendarEvent: UTType { UTType("public.calendar-event", row: 596) }

    /// contact: `public.contact`.
    public static var contact: UTType { UTType("public.contact", row: 608) }

    /// vCard: `public.vcard`.
    public static var vCard: UTType { UTType("public.vcard", row: 745) }

    /// text of any kind: `public.text`.
    public static var text: UTType { UTType("public.text", row: 729) }

    /// plain text: `public.plain-text`.
    public static var plainText: UTType { UTType("public.plain-text", row: 700) }

    /// plain text in UTF-8: `public.utf8-plain-text`.
    public static var utf8PlainText: UTType { UTType("public.utf8-plain-text", row: 742) }

    /// plain text in UTF-16 with a byte order mark: `public.utf16-external-plain-text`.
    public static var utf16ExternalPlainText: UTType { UTType("public.utf16-external-plain-text", row: 740) }

    /// plain text in UTF-16: `public.utf16-plain-text`.
    public static var utf16PlainText: UTType { UTType("public.utf16-plain-text", row: 741) }

    /// log: `public.log`.
    public static var log: UTType { UTType("public.log", row: 667) }

    /// reference to something else: `com.apple.resolvable`.
    public static var resolvable: UTType { UTType("com.apple.resolvable", row: 296) }

    /// symbolic link: `public.symlink`.
    public static var symbolicLink: UTType { UTType("public.symlink", row: 724) }

    /// mount point: `com.apple.mount-point`.
    public static var mountPoint: UTType { UTType("com.apple.mount-point", row: 257) }

    /// Apple bookmark: `com.apple.bookmark`.
    public static var urlBookmarkData: UTType { UTType("com.apple.bookmark", row: 47) }

    /// Finder alias: `com.apple.alias-file`.
    public static var aliasFile: UTType { UTType("com.apple.alias-file", row: 26) }

    /// Windows program: `com.microsoft.windows-executable`.
    public static var exe: UTType { UTType("com.microsoft.windows-executable", row: 390) }

    /// disk image: `public.disk-image`.
    public static var diskImage: UTType { UTType("public.disk-image", row: 618) }

    /// tar file: `public.tar-archive`.
    public static var tarArchive: UTType { UTType("public.tar-archive", row: 726) }

    /// gzip file: `org.gnu.gnu-zip-archive`.
    public static var gzip: UTType { UTType("org.gnu.gnu-zip-archive", row: 445) }

    /// bzip2 file: `public.bzip2-archive`.
    public static var bz2: UTType { UTType("public.bzip2-archive", row: 588) }

    /// ZIP file: `public.zip-archive`.
    public static var zip: UTType { UTType("public.zip-archive", row: 757) }

    /// Apple Archive file: `com.apple.archive`.
    public static var appleArchive: UTType { UTType("com.apple.archive", row: 38) }

    /// web address or other URL: `public.url`.
    public static var url: UTType { UTType("public.url", row: 738) }

    /// URL of a file: `public.file-url`.
    public static var fileURL: UTType { UTType("public.file-url", row: 636) }

    /// Internet location file: `com.apple.internet-location`.
    public static var internetLocation: UTType { UTType("com.apple.internet-location", row: 165) }

    /// Windows link to a URL: `com.microsoft.internet-shortcut`.
    public static var internetShortcut: UTType { UTType("com.microsoft.internet-shortcut", row: 383) }

    /// table as delimited text: `public.delimited-values-text`.
    public static var delimitedText: UTType { UTType("public.delimited-values-text", row: 615) }

    /// CSV table: `public.comma-separated-values-text`.
    public static var commaSeparatedText: UTType { UTType("public.comma-separated-values-text", row: 605) }

    /// TSV table: `public.tab-separated-values-text`.
    public static var tabSeparatedText: UTType { UTType("public.tab-separated-values-text", row: 725) }

    /// TSV table in UTF-8: `public.utf8-tab-separated-values-text`.
    public static var utf8TabSeparatedText: UTType { UTType("public.utf8-tab-separated-values-text", row: 743) }

    /// RTF text: `public.rtf`.
    public static var rtf: UTType { UTType("public.rtf", row: 710) }

    /// HTML page: `public.html`.
    public static var html: UTType { UTType("public.html", row: 658) }

    /// XML: `public.xml`.
    public static var xml: UTType { UTType("public.xml", row: 753) }

    /// CSS style sheet: `public.css`.
    public static var css: UTType { UTType("public.css", row: 612) }

    /// JSON: `public.json`.
    public static var json: UTType { UTType("public.json", row: 664) }

    /// YAML: `public.yaml`.
    public static var yaml: UTType { UTType("public.yaml", row: 755) }

    /// property list of any form: `com.apple.property-list`.
    public static var propertyList: UTType { UTType("com.apple.property-list", row: 285) }

    /// property list in XML: `com.apple.xml-property-list`.
    public static var xmlPropertyList: UTType { UTType("com.apple.xml-property-list", row: 344) }

    /// property list in binary form: `com.apple.binary-property-list`.
    public static var binaryPropertyList: UTType { UTType("com.apple.binary-property-list", row: 42) }

    /// program source: `public.source-code`.
    public static var sourceCode: UTType { UTType("public.source-code", row: 715) }

    /// C source: `public.c-source`.
    public static var cSource: UTType { UTType("public.c-source", row: 594) }

    /// Objective-C source: `public.objective-c-source`.
    public static var objectiveCSource: UTType { UTType("public.objective-c-source", row: 690) }

    /// C++ source: `public.c-plus-plus-source`.
    public static var cPlusPlusSource: UTType { UTType("public.c-plus-plus-source", row: 592) }

    /// Objective-C++ source: `public.objective-c-plus-plus-source`.
    public static var objectiveCPlusPlusSource: UTType { UTType("public.objective-c-plus-plus-source", row: 688) }

    /// C header: `public.c-header`.
    public static var cHeader: UTType { UTType("public.c-header", row: 589) }

    /// C++ header: `public.c-plus-plus-header`.
    public static var cPlusPlusHeader: UTType { UTType("public.c-plus-plus-header", row: 590) }

    /// Swift source: `public.swift-source`.
    public static var swiftSource: UTType { UTType("public.swift-source", row: 723) }

    /// script of any kind: `public.script`.
    public static var script: UTType { UTType("public.script", row: 712) }

    /// assembler source: `public.assembly-source`.
    public static var assemblyLanguageSource: UTType { UTType("public.assembly-source", row: 574) }

    /// JavaScript: `com.netscape.javascript-source`.
    public static var javaScript: UTType { UTType("com.netscape.javascript-source", row: 401) }

    /// shell script: `public.shell-script`.
    public static var shellScript: UTType { UTType("public.shell-script", row: 713) }

    /// Perl script: `public.perl-script`.
    public static var perlScript: UTType { UTType("public.perl-script", row: 698) }

    /// Python script: `public.python-script`.
    public static var pythonScript: UTType { UTType("public.python-script", row: 708) }

    /// Ruby script: `public.ruby-script`.
    public static var rubyScript: UTType { UTType("public.ruby-script", row: 711) }

    /// PHP script: `public.php-script`.
    public static var phpScript: UTType { UTType("public.php-script", row: 699) }

    /// makefile: `public.make-source`.
    public static var makefile: UTType { UTType("public.make-source", row: 669) }

    /// image of any kind: `public.image`.
    public static var image: UTType { UTType("public.image", row: 659) }

    /// Live Photo: `com.apple.live-photo`.
    public static var livePhoto: UTType { UTType("com.apple.live-photo", row: 235) }

    /// raw image from a camera: `public.camera-raw-image`.
    public static var rawImage: UTType { UTType("public.camera-raw-image", row: 597) }

    /// JPEG image: `public.jpeg`.
    public static var jpeg: UTType { UTType("public.jpeg", row: 661) }

    /// TIFF image: `public.tiff`.
    public static var tiff: UTType { UTType("public.tiff", row: 730) }

    /// PNG image: `public.png`.
    public static var png: UTType { UTType("public.png", row: 703) }

    /// SVG drawing: `public.svg-image`.
    public static var svg: UTType { UTType("public.svg-image", row: 722) }

    /// macOS icon: `com.apple.icns`.
    public static var icns: UTType { UTType("com.apple.icns", row: 119) }

    /// sound or moving images: `public.audiovisual-content`.
    public static var audiovisualContent: UTType { UTType("public.audiovisual-content", row: 577) }

    /// film with or without sound: `public.movie`.
    public static var movie: UTType { UTType("public.movie", row: 674) }

    /// moving images alone: `public.video`.
    public static var video: UTType { UTType("public.video", row: 746) }

    /// sound: `public.audio`.
    public static var audio: UTType { UTType("public.audio", row: 576) }

    /// QuickTime film: `com.apple.quicktime-movie`.
    public static var quickTimeMovie: UTType { UTType("com.apple.quicktime-movie", row: 294) }

    /// MPEG-1 or MPEG-2 film: `public.mpeg`.
    public static var mpeg: UTType { UTType("public.mpeg", row: 679) }

    /// MPEG-2 video: `public.mpeg-2-video`.
    public static var mpeg2Video: UTType { UTType("public.mpeg-2-video", row: 681) }

    /// MPEG-4 film: `public.mpeg-4`.
    public static var mpeg4Movie: UTType { UTType("public.mpeg-4", row: 682) }

    /// MPEG-4 video with copy protection: `com.apple.protected-mpeg-4-video`.
    public static var appleProtectedMPEG4Video: UTType { UTType("com.apple.protected-mpeg-4-video", row: 288) }

    /// AVI film: `public.avi`.
    public static var avi: UTType { UTType("public.avi", row: 582) }

    /// MPEG-2 transport stream: `public.mpeg-2-transport-stream`.
    public static var mpeg2TransportStream: UTType { UTType("public.mpeg-2-transport-stream", row: 680) }

    /// MP3 audio: `public.mp3`.
    public static var mp3: UTType { UTType("public.mp3", row: 676) }

    /// playlist: `public.playlist`.
    public static var playlist: UTType { UTType("public.playlist", row: 701) }

    /// M3U playlist: `public.m3u-playlist`.
    public static var m3uPlaylist: UTType { UTType("public.m3u-playlist", row: 668) }

    /// MPEG-4 audio: `public.mpeg-4-audio`.
    public static var mpeg4Audio: UTType { UTType("public.mpeg-4-audio", row: 683) }

    /// MPEG-4 audio with copy protection: `com.apple.protected-mpeg-4-audio`.
    public static var appleProtectedMPEG4Audio: UTType { UTType("com.apple.protected-mpeg-4-audio", row: 286) }

    /// AIFF audio: `public.aiff-audio`.
    public static var aiff: UTType { UTType("public.aiff-audio", row: 523) }

    /// MIDI file: `public.midi-audio`.
    public static var midi: UTType { UTType("public.midi-audio", row: 671) }

    /// font: `public.font`.
    public static var font: UTType { UTType("public.font", row: 640) }

    /// AppleScript source: `com.apple.applescript.text`.
    public static var appleScript: UTType { UTType("com.apple.applescript.text", row: 30) }

    /// AppleScript, compiled: `com.apple.applescript.script`.
    public static var osaScript: UTType { UTType("com.apple.applescript.script", row: 28) }

    /// AppleScript bundle: `com.apple.applescript.script-bundle`.
    public static var osaScriptBundle: UTType { UTType("com.apple.applescript.script-bundle", row: 29) }

    /// folder: `public.folder`.
    public static var folder: UTType { UTType("public.folder", row: 639) }

    /// volume: `public.volume`.
    public static var volume: UTType { UTType("public.volume", row: 747) }

    /// folder shown as one file: `com.apple.package`.
    public static var package: UTType { UTType("com.apple.package", row: 267) }

    /// bundle of code and resources: `com.apple.bundle`.
    public static var bundle: UTType { UTType("com.apple.bundle", row: 48) }

    /// macOS preference pane: `com.apple.systempreference.prefpane`.
    public static var systemPreferencesPane: UTType { UTType("com.apple.systempreference.prefpane", row: 320) }

    /// macOS framework: `com.apple.framework`.
    public static var framework: UTType { UTType("com.apple.framework", row: 95) }

    /// macOS app: `com.apple.application-bundle`.
    public static var applicationBundle: UTType { UTType("com.apple.application-bundle", row: 34) }

    /// RTF with attachments, in one file: `com.apple.flat-rtfd`.
    public static var flatRTFD: UTType { UTType("com.apple.flat-rtfd", row: 93) }

    /// RTF with attachments: `com.apple.rtfd`.
    public static var rtfd: UTType { UTType("com.apple.rtfd", row: 298) }

    /// macOS plug-in: `com.apple.plugin`.
    public static var pluginBundle: UTType { UTType("com.apple.plugin", row: 277) }

    /// XPC service bundle: `com.apple.xpc-service`.
    public static var xpcService: UTType { UTType("com.apple.xpc-service", row: 345) }

    /// app extension: `com.apple.application-and-system-extension`.
    public static var applicationExtension: UTType { UTType("com.apple.application-and-system-extension", row: 33) }

    /// Spotlight importer plug-in: `com.apple.metadata-importer`.
    public static var spotlightImporter: UTType { UTType("com.apple.metadata-importer", row: 254) }

    /// Quick Look plug-in: `com.apple.quicklook-generator`.
    public static var quickLookGenerator: UTType { UTType("com.apple.quicklook-generator", row: 292) }

    /// PKCS #12 keys: `com.rsa.pkcs-12`.
    public static var pkcs12: UTType { UTType("com.rsa.pkcs-12", row: 419) }

    /// X.509 certificate: `public.x509-certificate`.
    public static var x509Certificate: UTType { UTType("public.x509-certificate", row: 749) }

    /// saved web page (Safari): `com.apple.webarchive`.
    public static var webArchive: UTType { UTType("com.apple.webarchive", row: 338) }

    /// EPUB book: `org.idpf.epub-container`.
    public static var epub: UTType { UTType("org.idpf.epub-container", row: 448) }

    /// PDF: `com.adobe.pdf`.
    public static var pdf: UTType { UTType("com.adobe.pdf", row: 7) }

    /// GIF image: `com.compuserve.gif`.
    public static var gif: UTType { UTType("com.compuserve.gif", row: 354) }

    /// BMP image: `com.microsoft.bmp`.
    public static var bmp: UTType { UTType("com.microsoft.bmp", row: 375) }

    /// Windows icon: `com.microsoft.ico`.
    public static var ico: UTType { UTType("com.microsoft.ico", row: 382) }

    /// WebP image: `org.webmproject.webp`.
    public static var webP: UTType { UTType("org.webmproject.webp", row: 511) }

    /// OpenEXR high-range image: `com.ilm.openexr-image`.
    public static var exr: UTType { UTType("com.ilm.openexr-image", row: 363) }

    /// HEIF image: `public.heif`.
    public static var heif: UTType { UTType("public.heif", row: 655) }

    /// HEIC image: `public.heic`.
    public static var heic: UTType { UTType("public.heic", row: 653) }

    /// HEIC images in sequence: `public.heics`.
    public static var heics: UTType { UTType("public.heics", row: 654) }

    /// WAV audio: `com.microsoft.waveform-audio`.
    public static var wav: UTType { UTType("com.microsoft.waveform-audio", row: 388) }

    /// haptic pattern: `com.apple.haptics.ahap`.
    public static var ahap: UTType { UTType("com.apple.haptics.ahap", row: 108) }

    /// DNG raw image: `com.adobe.raw-image`.
    public static var dng: UTType { UTType("com.adobe.raw-image", row: 15) }

    /// JPEG XL picture: `public.jpeg-xl`.
    public static var jpegxl: UTType { UTType("public.jpeg-xl", row: 663) }

    /// GeoJSON map data: `public.geojson`.
    public static var geoJSON: UTType { UTType("public.geojson", row: 645) }

    /// link preview data: `com.apple.linkpresentation.metadata`.
    public static var linkPresentationMetadata: UTType { UTType("com.apple.linkpresentation.metadata", row: 234) }

    /// Markdown text: `net.daringfireball.markdown`.
    public static var markdown: UTType { UTType("net.daringfireball.markdown", row: 439) }
}
