/** Writes the request as a curl command for a POSIX shell. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inShell } from './quotes.ts';

export function curl(call: CodeRequest): string {
  const output = inShell(call.output);
  // curl writes to a temporary name, so that a failed request does not overwrite an earlier output.
  const part = inShell(`${call.output}.part`);
  return [
    `curl ${inShell(call.address)}`,
    '  --no-progress-meter --fail-with-body',
    `  --user ${inShell(`${call.account}:${call.key}`)}`,
    ...call.texts.map(({ name, value, file }) =>
      file === undefined
        ? `  --form-string ${inShell(`${name}=${value}`)}`
        : `  --form ${inShell(`${name}=<${inForm(file)}`)}`,
    ),
    ...call.files.map(({ name, file }) => `  --form ${inShell(`${name}=@${inForm(file)}`)}`),
    `  --output ${part}`,
    `  && mv ${part} ${output}`,
    `  || { cat ${part} >&2 2>/dev/null\n       rm -f ${part}; false; }`,
  ].join(' \\\n');
}

/** Quotes a file name for --form. Inside double quotes, a comma and a semicolon are part of the name (curl manual, --form). */
function inForm(file: string): string {
  return `"${file.replace(/[\\"]/g, '\\$&')}"`;
}
