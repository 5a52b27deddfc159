/**
 * A program with correct uses of the client, and incorrect ones marked with `@ts-expect-error`. It compiles only if the compiler
 * reports exactly the marked errors.
 */
export const typedProgram = `
import { PlatenClient, PlatenError, type ConversionOptions, type Job } from 'platen-client';
import { openFile, saveAs } from 'platen-client/node';
const client = new PlatenClient({ url: 'http://127.0.0.1:8730', account: 'a', key: 'b' });
const options: ConversionOptions = {
  page_size: 'A5', margin_top: '20mm', scale_factor: 90, tagged: true, title: undefined,
  page_watermark: new Blob([]), output_format: 'webp',
};
const made = await client.convert({ html: '<p>', data: { a: 1 }, options, signal: AbortSignal.timeout(1000) });
const pages: number | undefined = made.pages;
const job: Job = await client.job(made.jobId);
await saveAs(made, String(pages) + job.outcome);
await client.convert({ file: await openFile('a.html') });
try { await made.bytes(); } catch (error) { if (error instanceof PlatenError) error.retryAfter?.toFixed(); }
// @ts-expect-error: no such page size
await client.convert({ html: 'x', options: { page_size: 'A9' } });
// @ts-expect-error: no such option
await client.convert({ html: 'x', options: { page_sise: 'A4' } });
// @ts-expect-error: must be a number
await client.convert({ html: 'x', options: { scale_factor: '90' } });
// @ts-expect-error: a path instead of a file
await client.convert({ file: './page.html' });
// @ts-expect-error: two inputs
await client.convert({ html: 'x', url: 'https://example.com' });
// @ts-expect-error: no input
await client.convert({ options });
// @ts-expect-error: template data is not allowed with a url
await client.convert({ url: 'https://example.com', data: {} });
// @ts-expect-error: the credits may be undefined
const credits: number = made.remainingCredits;
// @ts-expect-error: the key is missing
new PlatenClient({ url: 'http://127.0.0.1:8730', account: 'a' });
export { credits };
`;
