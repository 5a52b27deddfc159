/** Writes the request for PowerShell 7. Invoke-WebRequest of Windows PowerShell 5 cannot send forms. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inPowerShell } from './quotes.ts';

export function powershell(call: CodeRequest): string {
  // PowerShell requires this switch to send credentials over plain HTTP.
  const plain = call.address.startsWith('http:') ? ' -AllowUnencryptedAuthentication' : '';
  return [
    '# PowerShell 7 (pwsh)',
    '$form = @{',
    ...call.texts.map(
      ({ name, value, file }) =>
        `    ${name} = ${file === undefined ? inPowerShell(value) : `Get-Content -Raw -LiteralPath ${inPowerShell(file)}`}`,
    ),
    ...call.files.map(({ name, file }) => `    ${name} = Get-Item -LiteralPath ${inPowerShell(file)}`),
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
