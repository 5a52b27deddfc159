/** What the encoding explains: text that was read as another one than it was written in. */
import type { EncodingEvent, LogEvent } from '../events.ts';
import { lastOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { counted, short } from './phrases.ts';

type Encoding = EncodingEvent['detail'];

export function encodingFindings(events: readonly LogEvent[]): Finding[] {
  const encoding = lastOf(events, 'encoding')?.detail;
  if (encoding === undefined || (encoding.garbled === undefined && encoding.replaced === 0)) return [];
  const sure = !isDoubtful(encoding);
  const remedy = sure
    ? remedies[encoding.declared]
    : 'It may have been spoiled before it was sent, or be about such text.';
  const sentence = `The document was read as ${short(encoding.encoding, 40)} (${declarations[encoding.declared]}), but ${evidence(encoding)}. ${remedy}`;
  // A declaration of the document's own beats the option.
  const options = encoding.declared === 'nothing' ? ['default_encoding'] : [];
  return [finding('wrong-encoding', sentence, { options, severity: sure ? 'error' : 'warning' })];
}

/** How a document says what it is written in, in words. */
export const declarations: Readonly<Record<Encoding['declared'], string>> = {
  header: 'as its Content-Type header says',
  meta: 'as its meta element says',
  mark: 'as its byte order mark says',
  nothing: 'which nothing declared',
};

const wrong = 'The declaration is wrong: correct it, or save the document in that encoding.';
const remedies: Readonly<Record<Encoding['declared'], string>> = {
  header: wrong,
  meta: wrong,
  mark: 'Save the document anew.',
  nothing: 'Add <meta charset> to it, or say which it is with default_encoding.',
};

/** It is UTF-8 as it says it is, and nothing is lost: text about spoiled text looks the same as spoiled text. */
function isDoubtful({ encoding, declared, replaced }: Encoding): boolean {
  return replaced === 0 && declared !== 'nothing' && /^utf-?8$/i.test(encoding);
}

function evidence({ garbled, replaced, encoding }: Encoding): string {
  if (garbled !== undefined)
    return `its text looks like UTF-8 read as something else: “${short(garbled, 60)}”`;
  return `${counted(replaced, 'character')} cannot be read as ${short(encoding, 40)} and ${replaced === 1 ? 'shows' : 'show'} as �`;
}
