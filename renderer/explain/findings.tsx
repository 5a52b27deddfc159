/** The findings, with links to the options that fix them. */
import { CircleAlert, CircleCheck, Info, TriangleAlert, type LucideIcon } from 'lucide-preact';
import type { LogEvent } from '../../main/log/events.ts';
import { noFindingsSentence, type Finding, type Severity } from '../../main/log/findings/finding.ts';
import { t } from '../texts/text.ts';
import { OptionLink } from './option-link.tsx';
import type { ExplanationSection } from './section.ts';

interface Found {
  readonly known: readonly Finding[];
  readonly events: readonly LogEvent[];
  readonly running: boolean;
}

export function findings({ known: found, events, running }: Found): ExplanationSection {
  const worst = found[0]?.severity;
  return {
    id: 'findings',
    title: t('explain.findings'),
    count: found.length,
    ...(worst !== undefined && worst !== 'info' && { tone: worst }),
    content: found.length === 0 ? <Calm running={running} events={events} /> : <List found={found} />,
  };
}

/** Shown if there are no findings. The sentence comes from the service, which writes English only. */
function Calm({ running, events }: { readonly running: boolean; readonly events: readonly LogEvent[] }) {
  if (running) return <p class="soft">{t('explain.findings.soFar')}</p>;
  return (
    <p class="explain-calm">
      <CircleCheck size={16} aria-hidden="true" />
      <bdi lang="en">{noFindingsSentence(events)}</bdi>
    </p>
  );
}

function List({ found }: { readonly found: readonly Finding[] }) {
  return (
    <ul class="findings">
      {found.map((finding, index) => (
        <Item key={index} finding={finding} />
      ))}
    </ul>
  );
}

const icons: Readonly<Record<Severity, LucideIcon>> = {
  error: CircleAlert,
  warning: TriangleAlert,
  info: Info,
};

/** One finding. Its sentence comes from the service, which writes English only. */
function Item({ finding: { severity, code, sentence, options } }: { readonly finding: Finding }) {
  const Icon = icons[severity];
  return (
    <li data-tone={severity} data-code={code}>
      <Icon size={16} aria-hidden="true" />
      <div class="findings-text">
        <p>
          <span class="visually-hidden">{t(`explain.severity.${severity}`)}: </span>
          <bdi lang="en">{sentence}</bdi>
        </p>
        {options.length > 0 && (
          <p class="findings-options">
            {options.map((name) => (
              <OptionLink key={name} name={name} />
            ))}
          </p>
        )}
      </div>
    </li>
  );
}
