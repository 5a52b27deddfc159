/**
 * The debug log as one HTML page without scripts or external resources. It also works when saved to disk, and in print. Compiled to
 * .build/log-page.cjs and .css; main/log/log-page.ts loads both files.
 */
import { renderToString } from 'preact-render-to-string';
import type { LogPageContent, RenderLogPage } from '../../main/log/log-page.ts';
import { summaryOf } from '../../main/log/job-summary.ts';
import type { ExplanationSection } from '../explain/section.ts';
import { headingId, Sections, sectionsOf } from '../explain/sections.tsx';
import '../style/tokens.css';
import '../style/base.css';
import '../style/parts.css';
import '../explain/styles.ts';
import './log-page.css';
import { t } from '../texts/text.ts';
import { allEvents } from './all-events.tsx';
import { JobHeader } from './job-header.tsx';
import { displaySafe } from './display-safe.ts';

export const renderLogPage: RenderLogPage = (content) =>
  `<!doctype html>\n${renderToString(<LogPage {...content} />)}\n`;

function LogPage({ events: logged, findings, links, style, policy }: LogPageContent) {
  const events = displaySafe(logged);
  const sections = [
    ...sectionsOf({ events, findings: displaySafe(findings) }),
    ...(events.length === 0 ? [] : [allEvents(events)]),
  ];
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>{`Debug log ${summaryOf(events).id.slice(0, 100)}`}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main>
          <JobHeader events={events} links={links} />
          <div class="explain">
            <Navigation sections={sections} />
            <Sections sections={sections} />
          </div>
        </main>
      </body>
    </html>
  );
}

function Navigation({ sections }: { readonly sections: readonly ExplanationSection[] }) {
  return (
    <nav class="log-nav" aria-label={t('explain.sections')}>
      {sections.map(({ id, title, count }) => (
        <a key={id} href={`#${headingId(id)}`}>
          {title}
          {count !== undefined && count > 0 && <span class="explain-count"> {count}</span>}
        </a>
      ))}
    </nav>
  );
}
