/**
 * Renders a debug log as one HTML page, and owns the Content Security Policy of that page. The components are those of the
 * console (renderer/log-page); their program is loaded with the first page.
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

/** The program in .build/log-page.cjs. */
export type RenderLogPage = (content: LogPageContent) => string;

/** Renders the page and omits empty sections. `links` are absent if the page is saved as a file. */
export function debugLogPage(events: readonly LogEvent[], links?: LogPageLinks): string {
  const { render, style, policy } = program();
  return render({ events, findings: findingsOf(events), links, style, policy: policy.join('; ') });
}

/** For an HTTP header, because a meta element cannot contain frame-ancestors (CSP 3, 3.3). */
export function logPagePolicy(): string {
  return [...program().policy, "frame-ancestors 'none'"].join('; ');
}

interface LogPageProgram {
  readonly render: RenderLogPage;
  readonly style: string;
  readonly policy: readonly string[];
}

let loaded: LogPageProgram | undefined;

function program(): LogPageProgram {
  return (loaded ??= load());
}

function load(): LogPageProgram {
  const beside = join(import.meta.dirname, 'log-page.cjs');
  // Unit tests run the sources.
  const path = existsSync(beside) ? beside : join(import.meta.dirname, '..', '..', '.build', 'log-page.cjs');
  const { renderLogPage } = createRequire(path)(path) as { readonly renderLogPage: RenderLogPage };
  const style = readFileSync(path.replace(/cjs$/, 'css'), 'utf8');
  return { render: renderLogPage, style, policy: policyFor(style) };
}

function policyFor(style: string): string[] {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
}
