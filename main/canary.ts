/**
 * The canary: a small document converted as a job's is, through a window of each kind, and looked at, to know whether conversions
 * work. It has no request, no account and no place in the record.
 */
import type { Engine, WindowRun } from './engine/engine.ts';
import { loadPage } from './engine/load-page.ts';
import { pixelAt } from './engine/pixel.ts';
import { proxyOf } from './engine/seat.ts';
import type { EngineWindow } from './engine/window.ts';
import type { Source } from './input/source.ts';
import type { Job } from './job/job.ts';
import type { Options } from './job/options.ts';
import { defaults } from './job/read-fields.ts';
import { DebugLog } from './log/debug-log.ts';
import type { Output } from './output/output.ts';
import { produce, type Means } from './output/produce.ts';
import { inspect } from './output/reading/inspect.ts';
import { unlessAborted, type Run } from './run.ts';

/** Two pixels by two, shown larger, of one colour. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAD0lEQVR4nGNgaPgPQhAKACX2Bf2gcp/LAAAAAElFTkSuQmCC';
const colour = [0, 128, 255] as const;
/** CSS pixels, from the upper left corner. */
const side = 100;

const html = `<!DOCTYPE html><style>body { margin: 0 } img { display: block; width: ${side}px; height: ${side}px }</style>
<img src="data:image/png;base64,${picture}"><p>Canary`;

/** Milliseconds with a window, a hundred times what it takes. */
const patience = 15_000;

interface CanaryHouse extends Means {
  readonly engine: Engine;
}

/** @throws Error when it cannot be converted, or comes out wrong; Failure unavailable when there was no window for it */
export async function convertCanary(house: CanaryHouse, signal: AbortSignal): Promise<void> {
  await checkDocument(await convertAs({ output_format: 'pdf' }, house, signal));
  checkPicture(await convertAs({ output_format: 'png', screenshot_width: 2 * side }, house, signal));
}

async function convertAs(
  options: Partial<Options>,
  house: CanaryHouse,
  signal: AbortSignal,
): Promise<Output> {
  const run = runOf(options, signal);
  const bytes = Buffer.from(html);
  const document = { bytes, contentType: 'text/html; charset=utf-8', path: 'index.html' };
  const source: Source = { kind: 'document', ...document, scripts: false, strips: {} };
  return house.engine.withWindow(run, source, (window, limited) => {
    const late = AbortSignal.timeout(patience);
    const hurried: WindowRun = { ...limited, signal: AbortSignal.any([limited.signal, late]) };
    return unlessAborted(hurried.signal, convertIn({ window, source, run: hurried, means: house }));
  });
}

interface Converting {
  readonly window: EngineWindow;
  readonly source: Source;
  readonly run: WindowRun;
  readonly means: Means;
}

async function convertIn({ window, source, run, means }: Converting): Promise<Output> {
  const output = await produce(await loadPage(window, source, run), run, means);
  const [proxy, expected] = [await proxyOf(window.seat), `PROXY 127.0.0.1:${window.seat.guard.port}`];
  // What went past the guard would be a hole in the operator's network.
  if (proxy !== expected) throw new Error(`a window is not behind its guard, but goes by ${proxy}`);
  return output;
}

function runOf(options: Partial<Options>, signal: AbortSignal): Run {
  const job: Job = {
    ...{ id: 'canary', account: '', input: { kind: 'text', html }, notes: [], written: new Map() },
    given: new Set(Object.keys(options) as (keyof Options)[]),
    options: { ...(defaults as Options), ...options },
  };
  return { job, log: new DebugLog(), folder: '', signal };
}

async function checkDocument({ bytes }: Output): Promise<void> {
  const { pages, isBlank } = await inspect(bytes);
  if (pages !== 1) throw new Error(`its document has ${pages} pages instead of 1`);
  if (isBlank(0)) throw new Error('its document is blank');
  // Chromium compresses contents, and not what they are made of.
  for (const part of ['/Font', '/Image'])
    if (!bytes.includes(part)) throw new Error(`its document has no ${part.slice(1).toLowerCase()}`);
}

function checkPicture({ bytes }: Output): void {
  const found = pixelAt(bytes, side / 2, side / 2);
  const isRight = colour.every((part, index) => Math.abs(part - (found[index] ?? -100)) <= 8);
  if (!isRight) throw new Error(`its picture has a pixel of ${found.join()} instead of ${colour.join()}`);
}
