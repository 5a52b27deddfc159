/** Writes the request as a PHP program with the curl extension. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inPhp } from './quotes.ts';

export function php(call: CodeRequest): string {
  const keyOf = keysOf(call);
  return [
    '<?php',
    '// PHP 8 with its curl extension.',
    '// Save as convert.php and run: php convert.php',
    `$curl = curl_init(${inPhp(call.address)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_USERPWD => ${inPhp(`${call.account}:${call.key}`)},`,
    '    CURLOPT_POSTFIELDS => [',
    ...call.texts.map(
      ({ name, value, file }) =>
        `        ${keyOf(name)} => ${file === undefined ? inPhp(value) : `file_get_contents(${inPhp(file)})`},`,
    ),
    ...call.files.map(({ name, file }) => `        ${keyOf(name)} => new CURLFile(${inPhp(file)}),`),
    '    ],',
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$response = curl_exec($curl);',
    'if ($response === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {',
    '    fwrite(STDERR, ($response === false ? curl_error($curl) : $response) . PHP_EOL);',
    '    exit(1);',
    '}',
    `file_put_contents(${inPhp(call.output)}, $response);`,
    '',
  ].join('\n');
}

/** Returns a function that returns the key of each field. PHP sends repeated fields only with an index: `attachment[0]`. */
function keysOf({ texts, files }: CodeRequest): (name: string) => string {
  const names = [...texts, ...files].map(({ name }) => name);
  const counts = new Map<string, number>();
  return (name) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return inPhp(name);
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    return inPhp(`${name}[${index}]`);
  };
}
