/**
 * The recipe of a document: what it was made from and with. `platen verify` compares a document with its recipe, and converts the
 * request again (docs/identical-bytes.md).
 */
import { eventsOf, type LogEvent, type RequestValue, type Versions } from './events.ts';

/** The version of the format. */
export const recipeFormat = 1;

export interface Recipe {
  readonly recipe: typeof recipeFormat;
  readonly job: string;
  /** Time at which the request arrived, in ISO 8601. */
  readonly received: string;
  readonly versions: Versions & {
    /** Operating system and processor, such as `linux x64`. */
    readonly system: string;
  };
  readonly request: {
    /** The setting `alias`, if it changes defaults. */
    readonly alias?: string;
    readonly values: readonly RequestValue[];
  };
  /** The font families that drew the text of the page, and whether each is a web font of the page. */
  readonly fonts: readonly { readonly family: string; readonly web: boolean }[];
  readonly output: {
    readonly contentType: string;
    readonly bytes: number;
    readonly pages?: number;
    /** In hexadecimal digits. */
    readonly sha256: string;
  };
}

/** Returns the recipe of the document that the job delivered; undefined if it delivered none. */
export function recipeOf(events: readonly LogEvent[]): Recipe | undefined {
  const [job] = eventsOf(events, 'job');
  const [options] = eventsOf(events, 'options');
  const [end] = eventsOf(events, 'end');
  const { contentType, bytes, pages, sha256 } = end?.detail ?? {};
  if (job === undefined || options === undefined || contentType === undefined) return undefined;
  if (bytes === undefined || sha256 === undefined) return undefined;
  const hasAlias = options.detail.options.some(({ from }) => from === 'alias');
  return {
    recipe: recipeFormat,
    job: job.text,
    received: job.detail.received,
    versions: { ...job.detail.versions, system: `${process.platform} ${process.arch}` },
    request: { ...(hasAlias && { alias: 'pdfcrowd' }), values: options.detail.values },
    fonts: fontsIn(events),
    output: { contentType, bytes, ...(pages !== undefined && { pages }), sha256 },
  };
}

function fontsIn(events: readonly LogEvent[]): Recipe['fonts'] {
  const used = eventsOf(events, 'fonts').flatMap(({ detail }) =>
    detail.stacks.flatMap((stack) => stack.used),
  );
  const fonts = new Map(used.map(({ family, web }) => [`${family} ${String(web)}`, { family, web }]));
  return [...fonts.values()].sort((one, other) => one.family.localeCompare(other.family, 'en'));
}
