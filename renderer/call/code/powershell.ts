/** Writes the request for PowerShell 7. Invoke-WebRequest of Windows PowerShell 5 cannot send forms. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inPowerShell } from './quotes.ts';

export function powershell(call: CodeRequest): string {
  // PowerShell requires this switch to send credentials over plain HTTP.
  const plain = call.address.startsWith('http:') ? ' -AllowUnencryptedAuthentication' : '';
  return [
    '# PowerShell 7 (pwsh)',
    '$form = @{',
    ...entriesOf(call).map(([name, values]) => `    ${name} = ${values.join(', ')}`),
    '}',
    `$key = ConvertTo-SecureString ${inPowerShell(call.key)} -AsPlainText -Force`,
    `$account = [pscredential]::new(${inPowerShell(call.account)}, $key)`,
    'try {',
    `    Invoke-WebRequest ${inPowerShell(call.address)} -Method Post -Form $form \``,
    `        -Authentication Basic -Credential $account${plain} \``,
    `        -OutFile ${inPowerShell(call.output)}`,
    '} catch {',
    '    throw ($_.ErrorDetails.Message ?? $_.Exception.Message)',
    '}',
    '',
  ].join('\n');
}

/** Returns the values of each field in the form, in which repeated fields are one array. */
function entriesOf({ texts, files }: CodeRequest): (readonly [string, readonly string[]])[] {
  const written = [
    ...texts.map(({ name, value, file }) => ({
      name,
      value: file === undefined ? inPowerShell(value) : `Get-Content -Raw -LiteralPath ${inPowerShell(file)}`,
    })),
    ...files.map(({ name, file }) => ({ name, value: `Get-Item -LiteralPath ${inPowerShell(file)}` })),
  ];
  const entries = new Map<string, readonly string[]>();
  for (const { name, value } of written) entries.set(name, [...(entries.get(name) ?? []), value]);
  // A command is one element of an array only in parentheses.
  return [...entries].map(([name, values]) => [
    name,
    values.length === 1 ? values : values.map((value) => `(${value})`),
  ]);
}
