/** Writes the request as a Node.js program with fetch. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inJavaScript } from './quotes.ts';

export function node(call: CodeRequest): string {
  const reads = call.files.length > 0 || call.texts.some(({ file }) => file !== undefined);
  return [
    '// Node.js 20 or newer, nothing to install.',
    '// Save as convert.mjs and run: node convert.mjs',
    `import { ${reads ? 'readFile, ' : ''}writeFile } from 'node:fs/promises';`,
    '',
    'const form = new FormData();',
    ...call.texts.map(
      ({ name, value, file }) =>
        `form.append(${inJavaScript(name)}, ${file === undefined ? inJavaScript(value) : `await readFile(${inJavaScript(file)}, 'utf8')`});`,
    ),
    ...call.files.map(
      ({ name, file }) =>
        `form.append(${inJavaScript(name)}, new Blob([await readFile(${inJavaScript(file)})]), ${inJavaScript(file)});`,
    ),
    '',
    `const credentials = Buffer.from(${inJavaScript(`${call.account}:${call.key}`)}).toString('base64');`,
    `const response = await fetch(${inJavaScript(call.address)}, {`,
    "  method: 'POST',",
    '  headers: { authorization: `Basic ${credentials}` },',
    '  body: form,',
    '});',
    'if (!response.ok) {',
    '  console.error(await response.text());',
    '  process.exit(1);',
    '}',
    `await writeFile(${inJavaScript(call.output)}, Buffer.from(await response.arrayBuffer()));`,
    '',
  ].join('\n');
}
