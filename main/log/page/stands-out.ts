/** What stands out: the findings, with the options that would change each. */
import type { Finding, Severity } from '../findings/finding.ts';
import { foreign, html, type Markup } from './markup.ts';
import type { Section } from './section.ts';

const words: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Note' };
const most = 50;

export function standsOut(findings: readonly Finding[]): Section {
  const content =
    findings.length === 0
      ? html`<p class="calm">Nothing: all that was asked for came, and nothing was cut or left out.</p>`
      : html`<ul class="findings">
          ${findings.slice(0, most).map(item)}
        </ul>`;
  return { id: 'findings', title: 'What stands out', content };
}

function item({ code, severity, sentence, options }: Finding): Markup {
  const names = options.map((name) => html` <code>${foreign(name, 60)}</code>`);
  const change = names.length === 0 ? undefined : html`<p class="change">Options: ${names}</p>`;
  return html`<li class="${severity}">
    <p><strong>${words[severity]}</strong> <small>${code}</small></p>
    <div>
      <p>${foreign(sentence)}</p>
      ${change}
    </div>
  </li> `;
}
