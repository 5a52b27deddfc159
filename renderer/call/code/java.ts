/**
 * Writes the request as a Java program. The JDK's HTTP client has no support for forms, so the program builds the body itself. Pure
 * functions.
 */
import type { CodeRequest } from './code-request.ts';
import { inJava } from './quotes.ts';

export function java(call: CodeRequest): string {
  const { texts, files, account, key, address, output } = call;
  const withFiles = files.length > 0;
  return [
    '// Java 17 or newer, nothing to install.',
    '// Save as Convert.java and run: java Convert.java',
    ...imports(withFiles),
    '',
    'public class Convert {',
    '    public static void main(String[] arguments) throws Exception {',
    '        List<Map.Entry<String, String>> fields = new ArrayList<>();',
    ...texts.map(
      ({ name, value, file }) =>
        `        fields.add(Map.entry(${inJava(name)}, ${file === undefined ? inJava(value) : `Files.readString(Path.of(${inJava(file)}))`}));`,
    ),
    ...(withFiles ? multipart(files) : urlencoded),
    '',
    '        String credentials = Base64.getEncoder().encodeToString(',
    `            ${inJava(`${account}:${key}`)}.getBytes(StandardCharsets.UTF_8));`,
    `        HttpRequest request = HttpRequest.newBuilder(URI.create(${inJava(address)}))`,
    '            .header("Authorization", "Basic " + credentials)',
    '            .header("Content-Type", contentType)',
    '            .POST(HttpRequest.BodyPublishers.ofByteArray(body))',
    '            .build();',
    '        HttpResponse<byte[]> response = HttpClient.newHttpClient()',
    '            .send(request, HttpResponse.BodyHandlers.ofByteArray());',
    '        if (response.statusCode() != 200) {',
    '            System.err.println(new String(response.body(), StandardCharsets.UTF_8));',
    '            System.exit(1);',
    '        }',
    `        Files.write(Path.of(${inJava(output)}), response.body());`,
    '    }',
    '}',
    '',
  ].join('\n');
}

function imports(withFiles: boolean): readonly string[] {
  return [
    ...(withFiles ? ['java.io.ByteArrayOutputStream'] : []),
    'java.net.URI',
    ...(withFiles ? [] : ['java.net.URLEncoder']),
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    'java.net.http.HttpResponse',
    'java.nio.charset.StandardCharsets',
    'java.nio.file.Files',
    'java.nio.file.Path',
    'java.util.ArrayList',
    'java.util.Base64',
    'java.util.List',
    'java.util.Map',
    ...(withFiles ? ['java.util.UUID'] : ['java.util.stream.Collectors']),
  ].map((name) => `import ${name};`);
}

const urlencoded = [
  '',
  '        String contentType = "application/x-www-form-urlencoded";',
  '        byte[] body = fields.stream()',
  '            .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))',
  '            .collect(Collectors.joining("&"))',
  '            .getBytes(StandardCharsets.UTF_8);',
];

function multipart(files: CodeRequest['files']): readonly string[] {
  return [
    '        List<Map.Entry<String, Path>> files = new ArrayList<>();',
    ...files.map(
      ({ name, file }) => `        files.add(Map.entry(${inJava(name)}, Path.of(${inJava(file)})));`,
    ),
    '',
    '        String boundary = UUID.randomUUID().toString();',
    '        String contentType = "multipart/form-data; boundary=" + boundary;',
    '        String head = "--" + boundary + "\\r\\nContent-Disposition: form-data; name=\\"";',
    '        ByteArrayOutputStream form = new ByteArrayOutputStream();',
    '        for (var field : fields) {',
    '            String part = head + field.getKey() + "\\"\\r\\n\\r\\n" + field.getValue() + "\\r\\n";',
    '            form.write(part.getBytes(StandardCharsets.UTF_8));',
    '        }',
    '        for (var file : files) {',
    '            String name = file.getValue().getFileName().toString().replace("\\"", "%22");',
    '            String part = head + file.getKey() + "\\"; filename=\\"" + name + "\\"\\r\\n\\r\\n";',
    '            form.write(part.getBytes(StandardCharsets.UTF_8));',
    '            form.write(Files.readAllBytes(file.getValue()));',
    '            form.write("\\r\\n".getBytes(StandardCharsets.UTF_8));',
    '        }',
    '        form.write(("--" + boundary + "--\\r\\n").getBytes(StandardCharsets.UTF_8));',
    '        byte[] body = form.toByteArray();',
  ];
}
