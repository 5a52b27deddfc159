/**
 * The plan of a service as a note inside its definition: a comment of a systemd unit or a property list, the documentation of a
 * task. So nobody has to guess from an installed definition what was wanted, whatever was edited in it.
 */
import { z } from 'zod';
import type { KeptPlan } from './plan.ts';

const mark = 'platen-service';

const noteSchema = z.object({
  name: z.string(),
  scope: z.enum(['system', 'user']),
  data: z.string(),
  as: z.string(),
  writable: z.array(z.string()),
});

/** One line of printable ASCII, the same in XML and without `--`, which would end a comment there. */
export function noteOf({ name, scope, data, as, writable }: KeptPlan): string {
  const json = JSON.stringify({ name, scope, data, as, writable });
  return `${mark} ${json.replace(/[^\x20-\x7e]|[&<>]|-(?=-)/g, escaped)}`;
}

/** Undefined where there is no note, or none that can be read. */
export function planIn(definition: string): KeptPlan | undefined {
  const json = new RegExp(`${mark} (\\{.*\\})`).exec(definition)?.[1];
  try {
    return noteSchema.parse(JSON.parse(json ?? ''));
  } catch {
    return undefined;
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
