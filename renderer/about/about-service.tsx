/** The About card of the service: URL, account, network access, capacity, data folder, versions and documentation. */
import { ExternalLink } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import type { ConsoleState } from '../../main/console/contract.ts';
import { useBridge } from '../bridge/bridge.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { showToast } from '../parts/toasts.tsx';
import { number, size, t } from '../texts/text.ts';

export function AboutService({ state }: { readonly state: ConsoleState }) {
  const { baseUrl, versions, network, data, account, windows, maxUpload } = state;
  return (
    <section class="card" aria-labelledby="about-service">
      <div class="card-head">
        <h2 id="about-service">{t('about.service')}</h2>
      </div>
      <dl class="card-body about-facts">
        <Fact label={t('about.base')}>
          <div class="about-base">
            <code dir="ltr">{baseUrl}</code>
            <CopyButton text={() => baseUrl} />
          </div>
        </Fact>
        <Fact label={t('about.account')}>
          <bdi>{account.name}</bdi>,{' '}
          {account.balance === undefined
            ? t('about.account.unlimited')
            : t('about.account.credits', { balance: number(account.balance) })}
        </Fact>
        <Fact label={t('about.network')}>{t(`about.network.${network}`)}</Fact>
        <Fact label={t('about.capacity')}>
          {t('about.capacity.value', { windows: number(windows), size: size(maxUpload) })}
        </Fact>
        {data !== undefined && (
          <Fact label={t('about.data')}>
            <code dir="ltr">{data}</code>
          </Fact>
        )}
        <Fact label={t('about.engine')}>
          Electron {versions.electron}, Chromium {versions.chromium}
        </Fact>
        <Fact label={t('about.documents')}>
          <ul class="about-links">
            <Link url={`${baseUrl}/docs`}>{t('about.docs')}</Link>
            <Link url={`${baseUrl}/openapi.json`}>{t('about.openapi')}</Link>
          </ul>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A link to a page of the service. In the tray window, it opens in the default browser. */
function Link({ url, children }: { readonly url: string; readonly children: ComponentChildren }) {
  const { native } = useBridge();
  const open = (event: Event) => {
    if (native === undefined) return;
    event.preventDefault();
    native.openLink(url).catch((problem: unknown) => {
      showToast(String(problem), 'error');
    });
  };
  return (
    <li>
      <a href={url} target="_blank" rel="noreferrer" onClick={open}>
        {children}
        <ExternalLink size={13} aria-hidden="true" />
      </a>
    </li>
  );
}
