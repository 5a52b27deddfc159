/** The style sheet of the page, and the Content Security Policy that allows only this style sheet. */
import { createHash } from 'node:crypto';

/** The light colours, then those for dark mode and print. Contrasts meet WCAG 2.2 AA: at least 4.5:1. */
const colours = `:root { color-scheme: light dark; --ink: #1b2330; --soft: #566173; --line: #e3e7ed; --paper: #fff;
  --link: #1a56b0; --good: #17693a; --bad: #b3261e; --warn: #8a5300; --bar: #4a78bd; --bar2: #9db9e0; --bar3: #c9975a; --badbar: #d1594f }
@media (prefers-color-scheme: dark) { :root { --ink: #dfe5ec; --soft: #9aa6b5; --line: #2b323b; --paper: #14181d;
  --link: #8ab4f8; --good: #7bd19b; --bad: #ff9d93; --warn: #efbf6b; --bar: #6f9de0; --bar2: #3f5f8f; --bar3: #a97f47; --badbar: #d9675d } }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #ccc; --paper: #fff;
  --link: #000; --good: #17693a; --bad: #b3261e; --warn: #8a5300; --bar: #4a78bd; --bar2: #9db9e0; --bar3: #c9975a; --badbar: #d1594f } }`;

const frame = `*, ::before, ::after { box-sizing: border-box } body { margin: 0; overflow-wrap: anywhere; font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 76rem; margin: 0 auto; padding: 2rem 2rem 4rem } p { margin: .25rem 0 } a { color: var(--link) }
small { font-size: 12px; color: var(--soft) } code, pre { font: 12px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace }
h1, h2 { line-height: 1.25; font-weight: 600 } h1 { font-size: 22px; margin: 0 0 .5rem } h1 span { font: 14px ui-monospace, Menlo, Consolas, monospace; color: var(--soft); margin-left: .25rem }
h2 { font-size: 16px; margin: 2.5rem 0 .5rem } h2 small { font-weight: 400 }
header { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2rem; align-items: start }
figure { margin: 0; max-width: 15rem } figure img { display: block; max-width: 100%; max-height: 15rem; width: auto; height: auto; border: 1px solid var(--line); border-radius: 3px; background: #fff }
figcaption { font-size: 12px; color: var(--soft); margin-top: .25rem } .links a { margin-left: .75rem }
.outcome { font-size: 16px; margin: 0 0 1rem; padding-left: .75rem; border-left: 4px solid var(--soft) } .outcome strong { margin-right: .25rem }
.good { border-color: var(--good) } .good strong { color: var(--good) } .bad { border-color: var(--bad) } .bad strong { color: var(--bad) }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: .25rem 0 .75rem } .facts dt { font-size: 12px; color: var(--soft) } .facts dd { margin: 0; font-variant-numeric: tabular-nums }
nav { margin: 1.5rem 0 0; padding: .5rem 0; border: solid var(--line); border-width: 1px 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem } nav a { text-decoration: none }`;

const findings = `.findings { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line) } .calm { color: var(--soft) }
.findings li { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 1rem; padding: .4rem 0 .4rem .75rem; border-bottom: 1px solid var(--line); box-shadow: inset 3px 0 var(--soft); break-inside: avoid } .findings p { margin: 0 }
.findings small { display: block }
.findings .error { box-shadow: inset 3px 0 var(--bad) } .findings .error strong { color: var(--bad) } .findings .warning { box-shadow: inset 3px 0 var(--warn) } .findings .warning strong { color: var(--warn) }
.change { font-size: 12px; color: var(--soft) } .change code { color: var(--ink); margin-left: .375rem }`;

const tables = `table { border-collapse: collapse; width: 100%; font-size: 13px; margin-bottom: .75rem } th, td { padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; text-align: left; font-weight: 400 }
thead th { font-size: 12px; overflow-wrap: normal; color: var(--soft); vertical-align: bottom; white-space: nowrap } td:last-child, th:last-child { padding-right: 0 } tbody tr { break-inside: avoid }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; width: 5.5rem } .status { width: 4.5rem; white-space: nowrap } .level { width: 5.5rem } .place { width: 16rem } .option { width: 18rem }
.time { width: 38% } .why { width: 30% } #network .time { width: 34% } tbody .place, tbody .about { color: var(--soft) }
.about { display: block } .about.why { width: auto; color: var(--ink) } .problem .why strong, .problem .status, .exception .level, .error .level { color: var(--bad); font-weight: 600 } .warning .level { color: var(--warn); font-weight: 600 }
.said { white-space: pre-wrap } summary .said { color: var(--ink); font-size: 13px } details > summary { cursor: pointer; color: var(--link) } td details summary, th details summary { font-size: 12px } pre { white-space: pre-wrap; margin: .25rem 0; color: var(--soft) } .more { color: var(--soft) }`;

const drawings = `svg { display: block; width: 100% } .bars { height: 1.25rem; overflow: visible } .axis { height: 14px; overflow: visible } .axis text { font-size: 11px; fill: var(--soft) } .axis .last { text-anchor: end } .bars line { stroke: var(--line) }
.stage, .receive { fill: var(--bar) } .wait { fill: var(--bar2) } .connect { fill: var(--bar3) } rect.bad { fill: var(--badbar) }
.shares { height: 1.25rem; border-radius: 3px; margin: .5rem 0 } .share-0 { fill: var(--bar) } .share-1 { fill: var(--bar3) } .share-2 { fill: var(--bar2) }
.legend { list-style: none; padding: 0; margin: 0 0 .75rem; font-size: 12px; display: flex; flex-wrap: wrap; gap: .25rem 2rem } .legend li { display: flex; align-items: center; gap: .5rem } .key { width: 12px; height: 12px }`;

/** In a narrow window each row is a block: its name, then its numbers, then its bar. */
const narrow = `@media (max-width: 44rem) { main { padding: 1.25rem 1rem 3rem } header { grid-template-columns: minmax(0, 1fr) } figure { max-width: 9rem } h1 span { display: block; margin: .25rem 0 0 } .findings li { grid-template-columns: minmax(0, 1fr); gap: 0 } .findings small { display: inline }
thead { display: none } table, tbody { display: block } tr { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: .75rem; border-bottom: 1px solid var(--line); padding: .5rem 0 }
th, td { border: 0; padding: 0; text-align: left } tbody th, tbody td { width: auto } tbody th:first-child:not(.number), .time, .why, .name { flex: 1 0 100% } td:empty { display: none } td.number:not(:last-child) { text-align: left } .time { padding: .125rem 0 } #stages tbody .name { flex: 1 1 0 }
#network td.number:nth-child(4)::after, #stages td.number::after { content: " ms" } }
@media print { main { max-width: none; padding: 0 } nav, .links, #events { display: none } h2 { break-after: avoid } a { text-decoration: none } }`;

export const style = [colours, frame, findings, tables, drawings, narrow].join('\n');

const allowed = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
];

/** For a meta element, so that the policy also applies to a file on disk. */
export const policyInPage = allowed.join('; ');

/** For an HTTP header, because a meta element cannot contain frame-ancestors (CSP 3, 3.3). */
export const policyInHeader = [...allowed, "frame-ancestors 'none'"].join('; ');
