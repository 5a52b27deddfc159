/** Detects the format of template data. Imports no parser, because the console's page uses this module too. */
import { delimiters } from './csv-delimiter.ts';
import type { DataFormat } from '../fill-template.ts';

/** Returns the format for `data_format=auto`. YAML starts with a line like `key: value`, `- member` or `---`; other text is CSV. */
export function formatOf(
  text: string,
  { csvDelimiter }: { readonly csvDelimiter: string | undefined },
): DataFormat {
  const start = text.slice(0, 10_000).trimStart();
  if (start.startsWith('<')) return 'xml';
  if (/^[[{"]/.test(start) && !looksLikeQuotedCsv(start, csvDelimiter)) return 'json';
  if (/^(-?\d+(\.\d+)?|true|false|null)\s*$/.test(start)) return 'json';
  return looksLikeYaml(start) ? 'yaml' : 'csv';
}

/** Returns true for a line such as `"a","b"`, which is not JSON because JSON ends after the first value. */
function looksLikeQuotedCsv(start: string, delimiter: string | undefined): boolean {
  const [line = ''] = start.split(/\r?\n/, 1);
  const candidates = delimiter === undefined ? delimiters : [delimiter];
  return line.startsWith('"') && candidates.some((candidate) => line.includes(`"${candidate}`));
}

function looksLikeYaml(start: string): boolean {
  const first = start.split(/\r?\n/).find((line) => /^[^#\s]/.test(line)) ?? '';
  return /^(---|%YAML|- |-$)/.test(first) || /^("[^"]*"|'[^']*'|[^\s,;:"'][^,;:]{0,100}):(\s|$)/.test(first);
}
