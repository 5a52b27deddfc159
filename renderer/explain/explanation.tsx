/** The explanation of a job in the console: the index, the findings, and one section for each topic. */
import type { DebugLogView } from '../../main/console/contract.ts';
import { t } from '../texts/text.ts';
import { SectionNav } from './section-nav.tsx';
import { Sections, sectionsOf } from './sections.tsx';
import './styles.ts';

interface ExplanationProps {
  readonly explanation: DebugLogView;
  /** Whether the job is still running, so that the log is incomplete. */
  readonly running?: boolean;
}

export function ExplanationView({ explanation, running = false }: ExplanationProps) {
  const sections = sectionsOf(explanation, running);
  return (
    <div class="explain">
      <SectionNav parts={sections} link={explanation.link} />
      {running && (
        <p class="explain-running" role="status">
          <span class="spinner" />
          {t('explain.running')}
        </p>
      )}
      <Sections sections={sections} />
    </div>
  );
}
