/** Finds features in the errors of scripts that Chromium has only since a later version than that of the service. */
import { featureVersions } from './feature-versions.ts';

/** In characters. The beginning of a message names the feature. */
const maxLength = 300;

/** Returns a sentence about the features that the messages of uncaught errors name; empty if there are none. */
export function newerFeaturesSentence(messages: readonly string[], chromium: string | undefined): string {
  const own = Number.parseInt(chromium ?? '', 10);
  const features = [...new Set(messages.flatMap((message) => featureIn(message) ?? []))].flatMap((name) => {
    const version = featureVersions.get(name) ?? 0;
    return version > own || Number.isNaN(own) ? [`${name.replace('#', '')} needs Chromium ${version}`] : [];
  });
  if (features.length === 0) return '';
  const has = Number.isNaN(own) ? '' : `; Platen has ${own}`;
  return ` ${features.slice(0, 3).join(', ')}${has}. Load a polyfill before the script, such as core-js for objects of JavaScript.`;
}

/** Returns the key of featureVersions in a message such as `Uncaught TypeError: RegExp.escape is not a function`. */
function featureIn(message: string): string | undefined {
  const [before = '', after = ''] = message.slice(0, maxLength).split(' is not ', 2);
  if (!/^(?:a function|a constructor|defined)/.test(after)) return undefined;
  const path = before.slice(before.lastIndexOf(' ') + 1).split('.');
  const last = path.at(-1) ?? '';
  const owner = path.at(-2);
  const names = owner === undefined ? [last] : [`${owner}.${last}`, `#${last}`, last];
  return names.find((name) => featureVersions.has(name));
}
