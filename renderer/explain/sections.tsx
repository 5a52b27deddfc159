/** The sections of the explanation, in order. The console and the debug log page show the same sections. */
import type { DebugLogView } from '../../main/console/contract.ts';
import type { LogEvent } from '../../main/log/events.ts';
import { consoleLines } from './console.tsx';
import { findings } from './findings.tsx';
import { notes } from './notes.tsx';
import { givenOptions } from './options.tsx';
import { fonts } from './page/fonts.tsx';
import { images } from './page/images.tsx';
import { layout } from './page/layout.tsx';
import { screenshot } from './page/screenshot.tsx';
import { sizes } from './page/sizes.tsx';
import { requests } from './requests/requests.tsx';
import type { ExplanationSection } from './section.ts';
import { stages } from './timeline/stages.tsx';

/** Returns the findings, and the other sections that have content. `isRunning`: the job is running, so the log is incomplete. */
export function sectionsOf(
  { findings: known, events }: Pick<DebugLogView, 'findings' | 'events'>,
  isRunning = false,
): ExplanationSection[] {
  // The log of a running job has no end yet, which is not a finding.
  const shown = isRunning ? known.filter(({ code }) => code !== 'job-unfinished') : known;
  return [
    findings({ known: shown, events, running: isRunning }),
    ...topics.flatMap((topic) => topic(events) ?? []),
  ];
}

const topics: readonly ((events: readonly LogEvent[]) => ExplanationSection | undefined)[] = [
  stages,
  requests,
  consoleLines,
  layout,
  fonts,
  images,
  sizes,
  screenshot,
  givenOptions,
  notes,
];

/** Returns the element id of a section's heading. */
export function headingId(sectionId: string): string {
  return `explain-${sectionId}`;
}

export function Sections({ sections }: { readonly sections: readonly ExplanationSection[] }) {
  return (
    <>
      {sections.map(({ id, title, count, content }) => (
        <section key={id} class="explain-part" data-part={id} aria-labelledby={headingId(id)}>
          <h2 id={headingId(id)} tabIndex={-1}>
            {title}
            {count !== undefined && count > 0 && <span class="faint">{count}</span>}
          </h2>
          {content}
        </section>
      ))}
    </>
  );
}
