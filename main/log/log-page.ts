/**
 * Renders a debug log as one HTML page, and owns the Content-Security-Policy of that page. The page consists of the console's
 * components, compiled from renderer/log-page. The compiled code is loaded when the first page is rendered.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LogEvent } from './events.ts';
import { findingsOf } from './findings.ts';
import type { Finding } from './findings/finding.ts';

/** Addresses of the same log in other formats. */
export interface LogPageLinks {
  readonly json: string;
  readonly har: string;
  readonly recipe: string;
}

export interface LogPageContent {
  readonly events: readonly LogEvent[];
  readonly findings: readonly Finding[];
  readonly links: LogPageLinks | undefined;
  /** The page's style sheet. */
  readonly style: string;
  /** The Content-Security-Policy, which allows only this style sheet. */
  readonly policy: string;
}

/** The function that .build/log-page.cjs exports. */
export type RenderLogPage = (content: LogPageContent) => string;

/** Returns the page as HTML, without empty sections. Omit `links` for a page that is saved as a file. */
export function debugLogPage(events: readonly LogEvent[], links?: LogPageLinks): string {
  render ??= loadRenderer();
  const policy = directives().join('; ');
  return render({ events, findings: findingsOf(events), links, style: styleSheet().text, policy });
}

/**
 * Returns the policy for the Content-Security-Policy header. A meta element cannot contain frame-ancestors (CSP 3, 3.3). Does not
 * load the compiled code.
 */
export function logPagePolicy(): string {
  return [...directives(), "frame-ancestors 'none'"].join('; ');
}

let render: RenderLogPage | undefined;
let sheet: StyleSheet | undefined;

interface StyleSheet {
  readonly text: string;
  /** SHA-256, in base64. */
  readonly hash: string;
}

function loadRenderer(): RenderLogPage {
  const path = compiled('log-page.cjs');
  return (createRequire(path)(path) as { readonly renderLogPage: RenderLogPage }).renderLogPage;
}

function styleSheet(): StyleSheet {
  return (sheet ??= readStyleSheet());
}

function readStyleSheet(): StyleSheet {
  const text = readFileSync(compiled('log-page.css'), 'utf8');
  return { text, hash: createHash('sha256').update(text).digest('base64') };
}

/** Returns the path of a compiled file: next to the program or, when tests run the sources, in .build. */
function compiled(name: string): string {
  const path = join(import.meta.dirname, name);
  return existsSync(path) ? path : join(import.meta.dirname, '..', '..', '.build', name);
}

function directives(): string[] {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleSheet().hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
}
