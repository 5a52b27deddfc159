/** Where the window was, and how large, from one start to the next. */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Place extends Rectangle {
  readonly maximized: boolean;
}

/** Pixels. */
export const smallest = { width: 880, height: 560 } as const;
const first = { width: 1280, height: 800 } as const;

const schema = z.object({
  ...{ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) },
  maximized: z.boolean(),
});

/** Without a place the window is put in the middle. */
export type Opening = Pick<Place, 'width' | 'height' | 'maximized'> & Partial<Pick<Place, 'x' | 'y'>>;

/** The remembered place where a display still shows it; `areas` are those of the displays, `scale` is for the first time. */
export function readPlace(file: string, areas: readonly Rectangle[], scale = 1): Opening {
  const place = remembered(file);
  if (place === undefined)
    return { width: first.width * scale, height: first.height * scale, maximized: false };
  const size = {
    width: Math.max(place.width, smallest.width),
    height: Math.max(place.height, smallest.height),
    maximized: place.maximized,
  };
  return areas.some((area) => showsTitle(area, place)) ? { ...size, x: place.x, y: place.y } : size;
}

/** A window that forgets its place is still one. */
export function rememberPlace(file: string, place: Place): void {
  try {
    writeFileSync(file, `${JSON.stringify(place)}\n`, { mode: 0o600 });
  } catch {
    // The next start puts it in the middle.
  }
}

function remembered(file: string): Place | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Enough of the title bar to take hold of it. */
function showsTitle(area: Rectangle, { x, y, width }: Rectangle): boolean {
  const hold = 100;
  const inWidth = x + width >= area.x + hold && x <= area.x + area.width - hold;
  return inWidth && y >= area.y && y <= area.y + area.height - hold;
}
