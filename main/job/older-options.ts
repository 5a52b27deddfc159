/** Options of earlier versions of the API, which clients still send: what they mean in today's. */
import type { Values } from './read-fields.ts';
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
  readonly value: (older: unknown) => unknown;
}

const translations: readonly Translation[] = [
  { older: 'viewport_width', today: 'content_viewport_width', value: (pixels) => pixels },
  { older: 'viewport_height', today: 'content_viewport_height', value: (pixels) => pixels },
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

/** Sets what older options mean, where today's option was not given. */
export function translateOlder(values: Values, given: Set<OptionName>): void {
  for (const { older, today, value } of translations) {
    const meant = given.has(older) && !given.has(today) ? value(values[older]) : undefined;
    if (meant === undefined) continue;
    values[today] = meant;
    given.add(today);
  }
}
