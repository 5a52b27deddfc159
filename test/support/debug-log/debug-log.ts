/** Reads the debug log of a job, as JSON and as an HTML page. */
import type { ConversionResponse } from '../service/convert.ts';
import type { Finding } from '../../../main/log/findings/finding.ts';
import type { LogEvent } from '../../../main/log/events.ts';

export interface ReadLog {
  readonly link: string;
  readonly findings: readonly Finding[];
  readonly events: readonly LogEvent[];
  /** The text of the HTML page. */
  readonly text: string;
  readonly html: string;
}

/** @throws Error if the response has no link to a debug log */
export async function readDebugLog({ headers }: Pick<ConversionResponse, 'headers'>): Promise<ReadLog> {
  const link = headers.get('x-service-debug-log');
  if (link === null) throw new Error('the response has no x-service-debug-log header');
  const json = await fetch(link, { headers: { accept: 'application/json' } });
  const { findings, events } = (await json.json()) as Pick<ReadLog, 'findings' | 'events'>;
  const html = await (await fetch(link)).text();
  return { link, findings, events, html, text: textOf(html) };
}

/** Returns the text of an HTML page, with collapsed whitespace. */
export function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<(?:"[^"]*"|[^">])*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ');
}
