/** A part of a page that a picture is made of: in CSS pixels of the page; the picture is `scale` times as large. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}
