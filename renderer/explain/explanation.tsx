/** The explanation of a job: the findings first, then one section for each topic. */
import type { Explanation } from '../../main/console/contract.ts';
import type { LogEvent } from '../../main/log/events.ts';
import { t } from '../texts/text.ts';
import { consoleLines } from './console.tsx';
import './explain.css';
import './tables.css';
import './sections.css';
import { findings } from './findings.tsx';
import { fonts } from './page/fonts.tsx';
import { images } from './page/images.tsx';
import { SectionNav } from './section-nav.tsx';
import { layout } from './page/layout.tsx';
import { notes } from './notes.tsx';
import { givenOptions } from './options.tsx';
import type { ExplanationSection } from './section.ts';
import { picture } from './page/screenshot.tsx';
import { requests } from './requests/requests.tsx';
import { sizes } from './page/sizes.tsx';
import { stages } from './timeline/stages.tsx';

interface ExplanationProps {
  readonly of: Explanation;
  /** The job is still running; the log is incomplete. */
  readonly running?: boolean;
}

export function ExplanationView({ of, running = false }: ExplanationProps) {
  const parts = partsOf(of, running);
  return (
    <div class="explain">
      <SectionNav parts={parts} link={of.link} />
      {running && (
        <p class="explain-running" role="status">
          <span class="spinner" />
          {t('explain.running')}
        </p>
      )}
      {parts.map(({ id, title, count, content }) => (
        <section key={id} class="explain-part" data-part={id} aria-labelledby={`explain-${id}`}>
          <h2 id={`explain-${id}`} tabIndex={-1}>
            {title}
            {count !== undefined && count > 0 && <span class="faint">{count}</span>}
          </h2>
          {content}
        </section>
      ))}
    </div>
  );
}

const sections: readonly ((events: readonly LogEvent[]) => ExplanationSection | undefined)[] = [
  stages,
  requests,
  consoleLines,
  layout,
  fonts,
  images,
  sizes,
  picture,
  givenOptions,
  notes,
];

function partsOf({ findings: found, events }: Explanation, running: boolean): ExplanationSection[] {
  // While a job runs, the missing end is not a finding.
  const known = running ? found.filter(({ code }) => code !== 'job-unfinished') : found;
  return [findings({ known, events, running }), ...sections.flatMap((section) => section(events) ?? [])];
}
