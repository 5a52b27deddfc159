/** An event without the values that are hidden. What programs tell events by stays, whatever those values are. */
import type { NewEvent } from './events.ts';
import { inTexts } from './masking.ts';

export function maskedEvent<E extends NewEvent>(event: E, masked: (text: string) => string): E {
  const fixed = fixedFields[event.kind];
  return inTexts(event, (text, name) => (name === 'kind' || fixed.has(name) ? text : masked(text)));
}

/** Fields with words of ours or of Chromium's: a caller's password may be one of them, and tells nothing there. */
const fixedFields: Readonly<Record<NewEvent['kind'], ReadonlySet<string>>> = {
  job: new Set(['text', 'account', 'received', 'platen', 'electron', 'chromium']),
  options: new Set(['text', 'input', 'name', 'from']),
  stage: new Set(['text']),
  note: new Set(['code', 'options']),
  request: new Set(['type', 'from', 'blocked', 'failed']),
  console: new Set(['level']),
  layout: new Set(['text', 'media']),
  fonts: new Set(),
  images: new Set(['problem']),
  breaks: new Set(),
  encoding: new Set(['encoding', 'declared']),
  strip: new Set(['strip']),
  sizes: new Set(),
  picture: new Set(['type', 'data']),
  failure: new Set(['stage']),
  end: new Set(['text', 'outcome']),
};
