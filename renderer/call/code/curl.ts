/** Writes the call as a curl command for a POSIX shell. Pure. */
import type { CodeCall } from './code-call.ts';
import { inShell } from './quotes.ts';

export function curl(call: CodeCall): string {
  const output = inShell(call.output);
  // An incomplete output gets a temporary name, so that a failed call does not overwrite an earlier output.
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

/** In double quotes, a comma and a semicolon are part of the name (curl's manual, --form). */
function inForm(file: string): string {
  return `"${file.replace(/[\\"]/g, '\\$&')}"`;
}
