/** GET /docs: the API documentation, generated from the option table and the catalogue of failures as a single page. */
import { catalogue, type CatalogueEntry } from '../../failure/catalogue.ts';
import { optionNames, table, type OptionRow } from '../../job/options.ts';
import { escapeHtml } from '../../log/escape-html.ts';
import { policyForStyle } from '../response/respond.ts';

/** Returns the page as HTML. `baseUrl` is the address under which the reader reaches the service. */
export function docsPage(baseUrl: string): string {
  const groups = [...new Set(optionNames.map((name) => table[name].group))];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Platen API</title>
<style>${style}</style>
<h1>Platen API</h1>
<p>One request converts a page: <code>POST /convert/24.04/</code> with HTTP Basic authentication (account name and key), as
<code>multipart/form-data</code> or, without a file, <code>application/x-www-form-urlencoded</code>. Give one of
<code>url</code>, <code>file</code> or <code>text</code>. The machine-readable description is
<a href="/openapi.json">openapi.json</a>.</p>
<pre>curl -u demo:demo --form-string 'text=&lt;h1&gt;Hello&lt;/h1&gt;' -o hello.pdf ${escapeHtml(baseUrl)}/convert/24.04/</pre>
<h2>Options</h2>${groups.map(optionGroup).join('')}
<h2>Errors</h2>
<p>The body is <code>status.reason - message</code>, or JSON with <code>?errfmt=json</code>.</p>
<table><tr><th>Response</th><th>When</th><th>What to do</th></tr>${Object.values(catalogue).map(failureRow).join('')}</table>
</html>
`;
}

const style = `body { font: 15px/1.6 system-ui, sans-serif; max-width: 62rem; margin: 3rem auto; padding: 0 1.5rem; color: #1d2530; background: #fff }
code, pre { font: 13px/1.5 ui-monospace, monospace; background: #f2f4f7; border-radius: 4px; padding: .1em .35em }
pre { padding: .8rem 1rem; overflow-x: auto } table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem }
th { text-align: left; font-weight: 500; color: #5b6675 } td, th { padding: .45rem 1rem .45rem 0; border-bottom: 1px solid #e4e8ee; vertical-align: top }
small { color: #5b6675 } h2 { margin-top: 2.5rem } a { color: #1f5fbf }
@media (prefers-color-scheme: dark) { body { color: #dde3ea; background: #14181d } code, pre { background: #20262d } td, th { border-color: #2a3138 } a { color: #8ab4f8 } }`;

/** The content security policy of the documentation page. */
export const docsPolicy = policyForStyle(style);

function optionGroup(group: string): string {
  const rows = optionNames.filter((name) => table[name].group === group).map(optionRow);
  return `<h3>${group}</h3><table><tr><th>Name</th><th>Allowed</th><th>Default</th><th>Meaning</th></tr>${rows.join('')}</table>`;
}

function optionRow(name: (typeof optionNames)[number]): string {
  const row: OptionRow = table[name];
  const output = row.output === 'both' ? '' : ` <small>(${row.output} only)</small>`;
  const withoutEffect =
    row.noEffectReason === undefined
      ? ''
      : ` <em>Accepted, without effect: ${escapeHtml(row.noEffectReason)}.</em>`;
  const cells = [
    `<code>${name}</code>${output}`,
    escapeHtml(row.kind.allowed),
    row.default === undefined ? '' : `<code>${escapeHtml(row.default)}</code>`,
    `${escapeHtml(row.description)}${withoutEffect}`,
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function failureRow({ status, reason, when, remedy }: CatalogueEntry): string {
  return `<tr><td><code>${status}.${reason}</code></td><td>${escapeHtml(when)}</td><td>${escapeHtml(remedy)}</td></tr>`;
}
