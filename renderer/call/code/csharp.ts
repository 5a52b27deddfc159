/** Writes the request as a C# program with HttpClient. Pure functions. */
import type { CodeRequest } from './code-request.ts';
import { inCSharp } from './quotes.ts';

export function csharp(call: CodeRequest): string {
  return [
    '// .NET 8 or newer, nothing to install: dotnet new console,',
    '// put this into Program.cs and run: dotnet run',
    'using System.Net.Http.Headers;',
    'using System.Text;',
    '',
    'using var form = new MultipartFormDataContent();',
    ...call.texts.map(
      ({ name, value, file }) =>
        `form.Add(new StringContent(${file === undefined ? inCSharp(value) : `File.ReadAllText(${inCSharp(file)})`}), ${inCSharp(name)});`,
    ),
    ...call.files.map(
      ({ name, file }) =>
        `form.Add(new StreamContent(File.OpenRead(${inCSharp(file)})), ${inCSharp(name)}, ${inCSharp(file)});`,
    ),
    '',
    'using var client = new HttpClient();',
    `var credentials = Encoding.UTF8.GetBytes(${inCSharp(`${call.account}:${call.key}`)});`,
    'client.DefaultRequestHeaders.Authorization =',
    '    new AuthenticationHeaderValue("Basic", Convert.ToBase64String(credentials));',
    '',
    `using var response = await client.PostAsync(${inCSharp(call.address)}, form);`,
    'if (!response.IsSuccessStatusCode)',
    '{',
    '    Console.Error.WriteLine(await response.Content.ReadAsStringAsync());',
    '    return 1;',
    '}',
    `await using var output = File.Create(${inCSharp(call.output)});`,
    'await response.Content.CopyToAsync(output);',
    'return 0;',
    '',
  ].join('\n');
}
