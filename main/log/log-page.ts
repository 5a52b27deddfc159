/**
 * Renders a debug log as one HTML page, and owns the Content Security Policy of that page. The components are those of the
 * console, compiled from renderer/log-page and loaded with the first page.
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
}

export interface LogPageContent {
  readonly events: readonly LogEvent[];
  readonly findings: readonly Finding[];
  readonly links: LogPageLinks | undefined;
  /** The style sheet, and the policy that allows only this one. */
  readonly style: string;
  readonly policy: string;
}

/** The export of .build/log-page.cjs. */
export type RenderLogPage = (content: LogPageContent) => string;

/** Renders the page and omits empty sections. `links` are absent if the page is saved as a file. */
export function debugLogPage(events: readonly LogEvent[], links?: LogPageLinks): string {
  render ??= loadRenderer();
  const policy = directives().join('; ');
  return render({ events, findings: findingsOf(events), links, style: styleSheet().text, policy });
}

/** For an HTTP header, because a meta element cannot contain frame-ancestors (CSP 3, 3.3). Does not load the renderer. */
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
