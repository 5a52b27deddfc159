/** docs/compatibility.md: what programs written for the public twin find here, from the table of options. */
import { optionNames, table as options, type OptionName, type OptionRow } from '../../main/job/options.ts';
import { cells, notice, table } from './markdown.ts';

/** Values of the public twin that are answered 400.311 here. */
export const refusedValues: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  output_format: ['psb', 'pct'],
  input_format: ['image', 'pdf'],
};

export function compatibilityPage(): string {
  return `${notice}# Compatibility

Programs written for the Pdfcrowd API 24.04, its official clients among them, work with Platen: the same address
(\`POST /convert/24.04/\`), the same parameters, the same form of answers and errors. Start the service with \`--alias pdfcrowd\`, so
that response headers and classes in documents also have the names such programs know.

${table(['HTML to', 'parameters', 'work', 'accepted without effect', 'refused'], [countsOf('pdf', 'PDF'), countsOf('image', 'image')])}

A parameter that has no effect is named in the debug log and counted in \`x-service-notes\`. Names that are in no table are refused
(400.303), so that a slip of the pen does not go unnoticed.

## Parameters

${table(['parameter', 'for', 'here', 'remark'], parameters().map(parameterRow))}

\`errfmt\` in the query works too. What each parameter means stands in [options.md](options.md).

## What is different

${differences().join('\n')}
`;
}

interface Parameter {
  readonly name: string;
  readonly option: OptionName;
  readonly row: OptionRow;
}

/** Every name the public twin knows, in the order of the table. */
function parameters(): Parameter[] {
  return optionNames.flatMap((option) => {
    const row: OptionRow = options[option];
    const names = row.own === true ? [] : [option, ...(row.aliases ?? [])];
    return names.map((name) => ({ name, option, row }));
  });
}

function countsOf(output: 'pdf' | 'image', shown: string): string {
  const all = parameters().filter(({ row }) => row.output === 'both' || row.output === output);
  const idle = all.filter(({ row }) => row.withoutEffect !== undefined);
  return cells(shown, `${all.length}`, `${all.length - idle.length}`, `${idle.length}`, '0');
}

function parameterRow({ name, option, row }: Parameter): string {
  const refused = refusedValues[option] ?? [];
  const remarks = [
    ...(name === option ? [] : [`another name of \`${option}\``]),
    ...(row.withoutEffect === undefined ? [] : [row.withoutEffect]),
    ...(row.limits === undefined ? [] : [row.limits]),
    ...(refused.length === 0 ? [] : [`refused: ${refused.map((value) => `\`${value}\``).join(', ')}`]),
    ...(row.twinDefault === undefined ? [] : [defaultsOf(row)]),
  ];
  return cells(
    `\`${name}\``,
    { both: 'PDF, image', pdf: 'PDF', image: 'image' }[row.output],
    row.withoutEffect === undefined ? 'works' : 'accepted without effect',
    remarks.join('; '),
  );
}

function defaultsOf({ default: here = 'none', twinDefault = '' }: OptionRow): string {
  return `\`${here}\` when absent, \`${twinDefault}\` with \`--alias pdfcrowd\``;
}

function differences(): string[] {
  const own = optionNames.filter((name) => (options[name] as OptionRow).own === true);
  const changed = optionNames.filter((name) => (options[name] as OptionRow).twinDefault !== undefined);
  const refused = Object.entries(refusedValues).map(
    ([name, values]) => `\`${name}\` ${values.map((value) => `\`${value}\``).join(', ')}`,
  );
  return [
    `- **Defaults.** ${changed.map((name) => `\`${name}\` is ${defaultsOf(options[name])}`).join('; ')}. All others are the twin's, as far as it documents them.`,
    `- **Values.** Refused with 400.311: ${refused.join('; ')}. Only HTML is converted: the twin's conversions of PDF documents and images are other services.`,
    `- **Versions.** \`/convert/\`, \`/convert/20.10/\`, \`/convert/18.10/\` and \`/convert/latest/\` answer as 24.04 does, with its defaults. The API before version 2 (\`/api/pdf/convert/...\`) is not there.`,
    "- **Names.** Headers are `x-service-*`, classes `service-*`, the helper of scripts `libService`; `--alias pdfcrowd` adds `x-pdfcrowd-*`, `pdfcrowd-*` and `libPdfcrowd`. Without it the twin's clients convert, but their getters stay empty.",
    '- **Errors.** The reason codes that the twin makes public are the same; the others are our own ([errors.md](errors.md)).',
    "- **Credits.** `x-service-remaining-credits` is left out for an account without a limit; the twin's clients show 999999 then.",
    '- **Several inputs** in one request are no error: `file` beats `url` beats `text`, and the debug log names what was ignored. A client object that is used again sends its earlier input too.',
    '- **Data** fills templates sent as `file` or `text`; with the address of a page it is refused.',
    '- **Network.** Pages reach what the network policy allows ([settings.md](settings.md)): by default not the machine itself.',
    '- **Browsers.** Pages of other origins cannot post here: there are no CORS headers.',
    `- **More.** ${own.map((name) => `\`${name}\``).join(', ')} are our own; \`page_size\` knows Legal, Tabloid and Ledger, \`output_format\` avif, archives may be plain .tar files.`,
  ];
}
