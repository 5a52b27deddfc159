/** `data_format=auto`: what the data looks like. */
import type { DataFormat } from '../template.ts';
import type { DataOptions } from './options.ts';

/** YAML is read where a first line looks like `key: value`, `- member` or `---`; what is left is CSV. */
export function formatOf(text: string, { csvDelimiter }: DataOptions): DataFormat {
  const start = text.slice(0, 10_000).trimStart();
  if (start.startsWith('<')) return 'xml';
  if (/^[[{"]/.test(start) && !looksLikeQuotedCsv(start, csvDelimiter)) return 'json';
  if (/^(-?\d+(\.\d+)?|true|false|null)\s*$/.test(start)) return 'json';
  return looksLikeYaml(start) ? 'yaml' : 'csv';
}

/** `"a","b"`: a JSON text is followed by nothing. */
function looksLikeQuotedCsv(start: string, delimiter: string): boolean {
  const [line = ''] = start.split(/\r?\n/, 1);
  return line.startsWith('"') && line.includes(`"${delimiter}`);
}

function looksLikeYaml(start: string): boolean {
  const first = start.split(/\r?\n/).find((line) => /^[^#\s]/.test(line)) ?? '';
  return /^(---|%YAML|- |-$)/.test(first) || /^("[^"]*"|'[^']*'|[^\s,;:"'][^,;:]{0,100}):(\s|$)/.test(first);
}
