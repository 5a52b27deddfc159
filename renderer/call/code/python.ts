/** Writes the request as a Python program that uses only the standard library. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inPython } from './quotes.ts';

export function python(call: CodeRequest): string {
  const { account, key, address, output, files } = call;
  return [
    '# Python 3.8 or newer, nothing to install.',
    '# Save as convert.py and run: python3 convert.py',
    `import base64, ${files.length > 0 ? 'os, shutil, sys, uuid' : 'shutil, sys'}`,
    'import urllib.error, urllib.parse, urllib.request',
    '',
    'fields = [',
    ...call.texts.map(
      ({ name, value, file }) =>
        `    (${inPython(name)}, ${file === undefined ? inPython(value) : `open(${inPython(file)}, "rb").read().decode()`}),`,
    ),
    ']',
    ...(files.length > 0 ? multipart(files) : urlencoded),
    '',
    `credentials = base64.b64encode(${inPython(`${account}:${key}`)}.encode()).decode()`,
    `request = urllib.request.Request(${inPython(address)}, data=body, headers={`,
    '    "Authorization": "Basic " + credentials,',
    '    "Content-Type": content_type,',
    '})',
    'try:',
    `    with urllib.request.urlopen(request) as response, open(${inPython(output)}, "wb") as output:`,
    '        shutil.copyfileobj(response, output)',
    'except urllib.error.HTTPError as problem:',
    '    sys.exit(problem.read().decode())',
    '',
  ].join('\n');
}

const urlencoded = [
  '',
  'body = urllib.parse.urlencode(fields).encode()',
  'content_type = "application/x-www-form-urlencoded"',
];

function multipart(files: CodeRequest['files']): readonly string[] {
  return [
    'files = [',
    ...files.map(({ name, file }) => `    (${inPython(name)}, ${inPython(file)}),`),
    ']',
    '',
    'boundary = uuid.uuid4().hex',
    'content_type = "multipart/form-data; boundary=" + boundary',
    'body = b""',
    'for name, value in fields:',
    `    head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"\\r\\n\\r\\n'`,
    '    body += head.encode() + value.encode() + b"\\r\\n"',
    'for name, path in files:',
    `    file = os.path.basename(path).replace('"', "%22")`,
    `    head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"; filename="{file}"\\r\\n\\r\\n'`,
    '    body += head.encode() + open(path, "rb").read() + b"\\r\\n"',
    'body += f"--{boundary}--\\r\\n".encode()',
  ];
}
