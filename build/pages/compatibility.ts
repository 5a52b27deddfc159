/** Generates docs/compatibility.md, the differences from Pdfcrowd, from the table of options. */
import { optionNames, table as options, type OptionName, type OptionRow } from '../../main/job/options.ts';
import { cells, notice, table, wrapped } from './markdown.ts';

/** Values of Pdfcrowd that Platen refuses with 400.311. */
export const refusedValues: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  output_format: ['psb', 'pct'],
  input_format: ['image', 'pdf'],
};

export function compatibilityPage(): string {
  return `${notice}# Compatibility

Programs for the Pdfcrowd API 24.04, including its official clients, work with Platen: it has the same endpoint
(\`POST /convert/24.04/\`), the same parameters, and the same format of responses and errors. Start the service with
\`--alias pdfcrowd\` to add Pdfcrowd's names of response headers and of classes in documents.

${table(['HTML to', 'parameters', 'work', 'accepted without effect', 'refused'], [countsOf('pdf', 'PDF'), countsOf('image', 'image')])}

The debug log names parameters without effect, and \`x-service-notes\` counts them. Unknown names are refused (400.303), so that
typing errors do not go unnoticed.

## Parameters

${table(['parameter', 'for', 'support', 'remark'], parameters().map(parameterRow))}

The query parameter \`errfmt\` is supported as well. [options.md](options.md) describes each parameter.

## Differences

${differences().map(listItem).join('\n')}
`;
}

interface PdfcrowdParameter {
  readonly name: string;
  readonly option: OptionName;
  readonly row: OptionRow;
}

/** Returns all parameter names of Pdfcrowd, in the order of the table of options. */
function parameters(): PdfcrowdParameter[] {
  return optionNames.flatMap((option) => {
    const row: OptionRow = options[option];
    const names = row.isExtension === true ? [] : [option, ...(row.aliases ?? [])];
    return names.map((name) => ({ name, option, row }));
  });
}

function countsOf(output: 'pdf' | 'image', shown: string): string {
  const all = parameters().filter(({ row }) => row.output === 'both' || row.output === output);
  const idle = all.filter(({ row }) => row.noEffectReason !== undefined);
  return cells(shown, `${all.length}`, `${all.length - idle.length}`, `${idle.length}`, '0');
}

function parameterRow({ name, option, row }: PdfcrowdParameter): string {
  const refused = refusedValues[option] ?? [];
  const remarks = [
    ...(name === option ? [] : [`another name of \`${option}\``]),
    ...(row.noEffectReason === undefined ? [] : [row.noEffectReason]),
    ...(row.limitations === undefined ? [] : [row.limitations]),
    ...(refused.length === 0 ? [] : [`refused: ${refused.map((value) => `\`${value}\``).join(', ')}`]),
    ...(row.pdfcrowdDefault === undefined ? [] : [defaultsOf(row)]),
  ];
  return cells(
    `\`${name}\``,
    { both: 'PDF, image', pdf: 'PDF', image: 'image' }[row.output],
    row.noEffectReason === undefined ? 'works' : 'accepted without effect',
    remarks.join('; '),
  );
}

function defaultsOf({ default: here = 'none', pdfcrowdDefault = '' }: OptionRow): string {
  return `\`${here}\` when absent, \`${pdfcrowdDefault}\` with \`--alias pdfcrowd\``;
}

function listItem(text: string): string {
  return wrapped(`- ${text}`, 148).join('\n  ');
}

function differences(): string[] {
  const ownOptions = optionNames.filter((name) => (options[name] as OptionRow).isExtension === true);
  const changed = optionNames.filter((name) => (options[name] as OptionRow).pdfcrowdDefault !== undefined);
  const refused = Object.entries(refusedValues).map(
    ([name, values]) => `\`${name}\` ${values.map((value) => `\`${value}\``).join(', ')}`,
  );
  return [
    `**Defaults.** ${changed.map((name) => `\`${name}\` is ${defaultsOf(options[name])}`).join('; ')}. All other defaults are those of Pdfcrowd, as far as it documents them.`,
    `**Values.** Refused with 400.311: ${refused.join('; ')}. Platen converts HTML only; Pdfcrowd's conversions of PDF documents and images are separate services.`,
    `**Versions.** \`/convert/\`, \`/convert/20.10/\`, \`/convert/18.10/\` and \`/convert/latest/\` behave like 24.04, with its defaults. The API before version 2 (\`/api/pdf/convert/...\`) is not supported.`,
    "**Names.** Headers are named `x-service-*`, classes `service-*`, and the helper object of scripts `libService`; `--alias pdfcrowd` adds `x-pdfcrowd-*`, `pdfcrowd-*` and `libPdfcrowd`. Without the alias, Pdfcrowd's clients convert, but their getters return nothing.",
    '**Errors.** Reason codes that Pdfcrowd documents are the same; Platen adds others ([errors.md](errors.md)).',
    "**Credits.** `x-service-remaining-credits` is absent for an unlimited account; Pdfcrowd's clients then show 999999.",
    '**Several inputs** in one request are not an error: `file` takes precedence over `url`, and `url` over `text`. The debug log names the ignored inputs. A reused client object also sends its earlier input.',
    '**Data** fills templates sent as `file` or `text`; data with a `url` is refused.',
    '**Network.** Pages can only load addresses that the network policy allows ([settings.md](settings.md)). By default, the machine itself is not allowed.',
    '**Browsers.** Pages of other origins can call the service only if the setting `cors-origins` allows them.',
    `**More.** ${ownOptions.map((name) => `\`${name}\``).join(', ')} are additional options. \`page_size\` also accepts Legal, Tabloid and Ledger, \`output_format\` avif, and archives may be plain .tar files.`,
  ];
}
