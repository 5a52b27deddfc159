/** A debug log as one HTML page: no script, no outside asset, every text escaped; readable from disk and on paper. */
import type { LogEvent } from '../events.ts';
import { findingsOf } from '../findings.ts';
import { summaryOf } from '../job-summary.ts';
import { allEvents } from './all-events.ts';
import { consoleLines } from './console.ts';
import { fonts } from './fonts.ts';
import { head, type Links } from './head.ts';
import { images } from './images.ts';
import { layout } from './layout.ts';
import { html, sourceOf, trusted } from './markup.ts';
import { network } from './network.ts';
import { notes } from './notes.ts';
import { options } from './options.ts';
import { navigation, section } from './section.ts';
import { sizes } from './sizes.ts';
import { stages } from './stages.ts';
import { standsOut } from './stands-out.ts';
import { policyInPage, style } from './style.ts';

const sections = [stages, network, consoleLines, layout, fonts, images, sizes, options, notes, allEvents];

/** Sections without content are left out; without links it is a page for a file. */
export function debugLogPage(events: readonly LogEvent[], links?: Links): string {
  const shown = [standsOut(findingsOf(events)), ...sections.flatMap((part) => part(events) ?? [])];
  return sourceOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="content-security-policy" content="${trusted(policyInPage)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="robots" content="noindex" />
          <title>Debug log ${summaryOf(events).id.slice(0, 100)}</title>
          ${trusted(`<style>${style}</style>`)}
        </head>
        <body>
          <main>${head(events, links)} ${navigation(shown)} ${shown.map(section)}</main>
        </body>
      </html> `,
  );
}
