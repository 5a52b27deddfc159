/** docs/options.md: every field of the request, from the table of options. */
import { optionNames, table as options, type OptionRow } from '../../main/job/options.ts';
import { cells, notice, table } from './markdown.ts';

export function optionsPage(): string {
  const groups = [...new Set(optionNames.map((name) => options[name].group))];
  const chapters = groups.map((group) => {
    const rows = optionNames.filter((name) => options[name].group === group).map(optionRow);
    return `## ${group}\n\n${table(['option', 'for', 'allowed', 'default', 'meaning'], rows)}\n`;
  });
  return `${notice}# Options

The fields of \`POST /convert/24.04/\`. Names are lower case; words and booleans are read in any case; an empty value is as if the
field were absent. A value that is not allowed is answered 400.311, an unknown name 400.303. \`x-service-notes\` counts what was
accepted and could not have an effect, such as an option marked "PDF only" when a picture is asked for; the debug log names it. How they are used is told in [api-guide.md](api-guide.md).

${chapters.join('\n')}`;
}

function optionRow(name: (typeof optionNames)[number]): string {
  const row: OptionRow = options[name];
  const idle = row.withoutEffect === undefined ? '' : ` Accepted, without effect: ${row.withoutEffect}.`;
  return cells(
    `\`${name}\``,
    { both: 'PDF, image', pdf: 'PDF only', image: 'image only' }[row.output],
    row.kind.allowed,
    row.default === undefined ? '' : `\`${row.default}\``,
    `${row.says}${idle}`,
  );
}
