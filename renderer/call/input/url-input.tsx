/** The URL input, with a correction of the URL and the recent URLs. */
import { Globe, History, X } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Field, TextInput, type ControlProps } from '../../parts/field.tsx';
import { service } from '../../state/service-state.ts';
import { t } from '../../texts/text.ts';
import { url } from '../call.ts';
import { forgetUrl, recentUrls } from './recent-urls.ts';
import { problemWithUrl, withScheme } from './web-address.ts';

export function UrlInput() {
  const problem = problemWithUrl(url.value);
  const network = service.value?.network;
  return (
    <div class="input-form">
      <Field
        label={t('input.url.label')}
        hint={network && t(`input.url.network.${network}`)}
        error={problem && t(`input.url.${problem}`)}
      >
        {(control) => <AddressField control={control} />}
      </Field>
      {problem === 'noScheme' && (
        <div>
          <Button
            onClick={() => {
              url.value = withScheme(url.value);
            }}
          >
            {t('input.url.use', { address: withScheme(url.value) })}
          </Button>
        </div>
      )}
      <Recent />
    </div>
  );
}

function AddressField({ control }: { readonly control: ControlProps }) {
  useEffect(() => {
    if (url.peek() === '') document.getElementById(control.id)?.focus();
  }, []);
  return (
    <TextInput
      {...control}
      type="url"
      inputMode="url"
      spellcheck={false}
      autocomplete="url"
      placeholder="https://example.com/invoice.html"
      value={url.value}
      onText={(text) => {
        url.value = text;
      }}
      onBlur={() => {
        if (problemWithUrl(url.value) === undefined) url.value = url.value.trim();
      }}
    />
  );
}

function Recent() {
  const addresses = recentUrls.value;
  if (addresses.length === 0)
    return (
      <p class="input-note">
        <Globe size={15} aria-hidden="true" />
        {t('input.url.note')}
      </p>
    );
  return (
    <section aria-label={t('input.url.recent')}>
      <h3 class="input-recent-head">{t('input.url.recent')}</h3>
      <ul class="input-recent">
        {addresses.map((address) => (
          <li key={address}>
            <button
              type="button"
              class="input-recent-address"
              title={address}
              onClick={() => {
                url.value = address;
              }}
            >
              <History size={14} aria-hidden="true" />
              <span class="cut">{address}</span>
            </button>
            <IconButton
              icon={X}
              label={t('input.url.forget')}
              onClick={() => {
                forgetUrl(address);
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
