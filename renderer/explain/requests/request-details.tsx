/** Details of one request: source, initiator, timing and headers. */
import type { Header, RequestDetail } from '../../../main/log/events.ts';
import type { EventOf } from '../../../main/log/events.ts';
import { duration, t } from '../../texts/text.ts';
import { FactList, type FactRow } from '../fact-list.tsx';

export function RequestDetails({ request: { text, detail } }: { readonly request: EventOf<'request'> }) {
  return (
    <div class="request-facts">
      <p class="mono">
        <bdi>{text}</bdi>
      </p>
      <FactList facts={factsOf(detail)} />
      <Headers title={t('explain.headers.request')} headers={detail.requestHeaders} />
      <Headers title={t('explain.headers.response')} headers={detail.responseHeaders} />
    </div>
  );
}

function factsOf(detail: RequestDetail): FactRow[] {
  const { method, from, mime, protocol, initiator, redirected, phases, began, type } = detail;
  const spent = Object.entries(phases ?? {}).filter(([, took]) => took > 0) as [
    keyof NonNullable<typeof phases>,
    number,
  ][];
  return [
    [t('explain.method'), method],
    [t('explain.type'), [type, mime].filter((part) => part !== undefined && part !== '').join(' · ')],
    [t('explain.origin'), from && t(`explain.origin.${from}`)],
    [t('explain.protocol'), protocol],
    [t('explain.initiator'), initiator],
    [t('explain.redirected'), redirected],
    [t('explain.began'), began === undefined ? undefined : duration(began)],
    [
      t('explain.spent'),
      spent.map(([what, took]) => `${t(`explain.spent.${what}`)} ${duration(took)}`).join(', '),
    ],
  ];
}

function Headers({
  title,
  headers = [],
}: {
  readonly title: string;
  readonly headers?: readonly Header[] | undefined;
}) {
  if (headers.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <dl class="explain-headers">
        {headers.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
