/** What the job's log says where content and paper do not fit each other: cut at the right, or made much smaller. */
import type { WindowRun } from '../engine/engine.ts';
import { contentAreaFor, layoutFor, pixelsPerInch } from '../job/layout.ts';
import type { Body } from './print-body.ts';

/** Edges lie at fractions of pixels. */
const rounding = 1;

/** A page that is smaller by less still looks as it was meant. */
const small = 0.75;

/** Of a PDF. */
export function noteFit({ plan, layoutWidth }: Pick<Body, 'plan' | 'layoutWidth'>, run: WindowRun): void {
  const { options, given } = run.job;
  const { content_fit_mode: mode, content_viewport_width: asked } = options;
  const wide = contentAreaFor(options).width * pixelsPerInch;
  if (mode === 'no-scaling') {
    noteCut(run, { layoutWidth, shown: wide / plan.scale });
    return;
  }
  const makesRoom = asked === 'balanced' || mode === 'smart-scaling' || mode === 'content-width';
  if (!makesRoom || mode.startsWith('single-page')) return;
  const { width, narrowest } = layoutFor(options, given);
  const usual = width === 'balanced' ? narrowest : width;
  noteShrunk(run, { layoutWidth, usual, size: (plan.scale * usual) / wide });
}

interface Cut {
  readonly layoutWidth: number;
  /** CSS pixels of the layout that are on the paper. */
  readonly shown: number;
}

function noteCut({ log, job: { options } }: WindowRun, { layoutWidth, shown }: Cut): void {
  if (layoutWidth <= shown + rounding || options.contents_matrix !== undefined) return;
  const remedy =
    options.content_viewport_width === 'balanced'
      ? 'Its content is that wide; without content_fit_mode=no-scaling it is made to fit.'
      : 'content_viewport_width=balanced lays the page out as wide as the paper.';
  log.note(
    `Without scaling the paper shows ${Math.floor(shown)} px of a layout ${layoutWidth} px wide, and what lies further right is cut. ${remedy}`,
    { code: 'content-cut', options: ['content_viewport_width', 'content_fit_mode'] },
  );
}

interface Shrunk {
  readonly layoutWidth: number;
  /** The layout's width in CSS pixels, had nothing been wider. */
  readonly usual: number;
  /** Of what it would be then. */
  readonly size: number;
}

function noteShrunk({ log }: WindowRun, { layoutWidth, usual, size }: Shrunk): void {
  if (size >= small) return;
  log.note(
    `Something is so wide that the page was laid out ${layoutWidth} px wide instead of ${usual}, and all of it came out at ${Math.round(size * 100)} % of its size. A max-width for images and tables keeps it large, as does content_fit_mode=viewport-width with a content_viewport_width in pixels, which cuts what is too wide.`,
    { code: 'content-shrunk', options: ['custom_css', 'content_fit_mode', 'content_viewport_width'] },
  );
}
