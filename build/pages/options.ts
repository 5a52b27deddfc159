/** Generates docs/options.md, the list of all request fields, from the table of options. */
import { optionNames, table as options, type OptionRow } from '../../main/job/options.ts';
import { cells, notice, table } from './markdown.ts';

export function optionsPage(): string {
  const groups = [...new Set(optionNames.map((name) => options[name].group))];
  const chapters = groups.map((group) => {
    const rows = optionNames.filter((name) => options[name].group === group).map(optionRow);
    return `## ${group}\n\n${table(['option', 'for', 'allowed', 'default', 'meaning'], rows)}\n`;
  });
  return `${notice}# Options

The fields of \`POST /convert/24.04/\`. Names are lower case. Enumerated values and booleans are case-insensitive. An empty value
counts as absent. An invalid value is refused with 400.311, an unknown name with 400.303. \`x-service-notes\` counts options
without effect, such as an option marked "PDF only" in a request for an image; the debug log names them.
[api-guide.md](api-guide.md) shows how to use the options.

${chapters.join('\n')}`;
}

function optionRow(name: (typeof optionNames)[number]): string {
  const row: OptionRow = options[name];
  const idle = row.noEffectReason === undefined ? '' : ` Accepted, without effect: ${row.noEffectReason}.`;
  return cells(
    `\`${name}\``,
    { both: 'PDF, image', pdf: 'PDF only', image: 'image only' }[row.output],
    row.kind.allowed,
    row.default === undefined ? '' : `\`${row.default}\``,
    `${row.description}${idle}`,
  );
}
