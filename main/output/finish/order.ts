/** What is to be done to a printed PDF: plain data, because it goes to a thread of its own. */
import type { FormField } from '../../engine/form-field.ts';
import type { Placement } from '../print-plan.ts';
import type { WireMatrix } from '../geometry.ts';
import type { DocumentInfo } from './document-info.ts';
import type { ImageOptions } from './images/image-replacement.ts';
import type { PrintedAt } from './layers/named-places.ts';
import type { QpdfWish } from './qpdf.ts';
import type { Stamp } from './stamps/stamps.ts';
import type { ViewerOptions } from './viewer.ts';

/** Each part is absent when it was not asked for. */
export interface FinishOrder {
  readonly printed: Uint8Array;
  /** Places inside the document are named. */
  readonly places?: PrintedAt;
  readonly placement?: Placement;
  /** There is an outline. */
  readonly outline?: true;
  readonly form?: readonly FormField[];
  /** Pages that stay, from 0. */
  readonly kept?: readonly number[];
  readonly strips?: readonly StripsOrder[];
  /** Links lead to the job's own addresses. */
  readonly ownLinks?: true;
  readonly stamps?: readonly Stamp[];
  /** Colour of each page of the output, RRGGBB or RRGGBBAA. */
  readonly colours?: readonly (string | undefined)[];
  readonly images?: ImageOptions;
  readonly info?: DocumentInfo;
  readonly viewer?: ViewerOptions;
  readonly protection?: QpdfWish;
}

/** Printed headers or footers, and where on the pages of the output they go. */
export interface StripsOrder {
  readonly kind: 'Header' | 'Footer';
  readonly pdf: Uint8Array;
  readonly places: readonly StripPlace[];
}

/** In points. */
export interface StripPlace {
  /** Of the output, from 0. */
  readonly page: number;
  /** Of the strips' PDF, from 0. */
  readonly strip: number;
  /** The edge of the paper that the offset is taken from: the page's own rules may have made the paper another. */
  readonly edge: 'top' | 'bottom';
  readonly offset: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** As the option says, from the strip's top left corner. */
  readonly matrix?: WireMatrix;
}

export interface Finished {
  readonly bytes: Uint8Array;
  /** Milliseconds of each step done, for the debug log. */
  readonly stages: readonly { readonly name: string; readonly took: number }[];
  readonly notes: readonly string[];
}
