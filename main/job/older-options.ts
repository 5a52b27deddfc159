/** Options of earlier versions of the API, which clients still send: what they mean in today's. */
import type { FieldsRead } from './read-fields.ts';
import type { JobNote } from './job.ts';
import type { OptionName } from './options.ts';

const fitModes: Readonly<Record<string, string>> = {
  default: 'auto',
  disabled: 'no-scaling',
  'viewport-fit': 'viewport-width',
  'content-fit': 'content-width',
  'single-page-fit': 'single-page',
  'single-page-fit-ex': 'single-page-ratio',
  mode1: 'smart-scaling',
};

interface Translation {
  readonly older: OptionName;
  readonly today: OptionName;
  readonly value: (older: unknown) => string | number | undefined;
}

const translations: readonly Translation[] = [
  { older: 'viewport_width', today: 'content_viewport_width', value: (pixels) => Number(pixels) },
  { older: 'viewport_height', today: 'content_viewport_height', value: (pixels) => Number(pixels) },
  {
    older: 'smart_scaling_mode',
    today: 'content_fit_mode',
    value: (mode) => fitModes[String(mode)],
  },
  {
    older: 'use_mobile_user_agent',
    today: 'converter_user_agent',
    value: (mobile) => (mobile === true ? 'latest-chrome-mobile' : undefined),
  },
];

/** Sets what older options mean, where today's option was not given, and says so. */
export function translateOlder({ values, given, written }: Reading): JobNote[] {
  return translations.flatMap(({ older, today, value }) => {
    if (!given.has(older)) return [];
    if (given.has(today)) return [beaten(older, today)];
    const meant = value(values[older]);
    if (meant === undefined) return [];
    values[today] = meant;
    given.add(today);
    written.set(today, String(meant));
    const text = `${older} is an older option and was read as ${today}=${String(meant)}`;
    return [{ text, code: 'older-option', options: [today] }];
  });
}

type Reading = Pick<FieldsRead, 'values' | 'given' | 'written'>;

function beaten(older: OptionName, today: OptionName): JobNote {
  const text = `${older} was ignored, because ${today}, its name today, was given too`;
  return { text, code: 'ignored-input', options: [older] };
}
