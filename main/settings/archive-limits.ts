/** What an archive may cost, as the operator wants it. */
import type { ArchiveLimits } from '../input/archive/limits.ts';
import type { Settings } from './table.ts';

/** An archive may unpack to this many bytes whatever its ratio is: small files compress well. */
const ratioFrom = 50_000_000;

export function archiveLimitsOf(settings: Settings): ArchiveLimits {
  return {
    entries: settings['archive-entries'],
    bytes: settings['archive-size'],
    ratio: settings['archive-ratio'],
    ratioFrom,
    depth: settings['archive-depth'],
    nameBytes: settings['archive-name'],
    time: settings['archive-time'],
  };
}
