/** Stores the position and size of the console window between starts. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface WindowBounds extends Rectangle {
  readonly maximized: boolean;
}

/** Minimum size of the window, in pixels. */
export const minSize = { width: 880, height: 560 } as const;
const defaultSize = { width: 1280, height: 800 } as const;

const schema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean(),
});

/** Position and size of a new window, which is centred if x and y are absent. */
export type OpeningBounds = Pick<WindowBounds, 'width' | 'height' | 'maximized'> &
  Partial<Pick<WindowBounds, 'x' | 'y'>>;

/**
 * Returns the saved bounds, or the default size times `scale` if none are saved. Omits the position if no display shows the title
 * bar, and limits the size to the display. `areas` are the work areas of the displays, the primary display first.
 */
export function readBounds(file: string, areas: readonly Rectangle[], scale = 1): OpeningBounds {
  const saved = readFile(file);
  if (saved === undefined)
    return { width: defaultSize.width * scale, height: defaultSize.height * scale, maximized: false };
  const shown = areas.find((area) => showsTitleBar(area, saved));
  const display = shown ?? areas[0];
  const size = {
    width: Math.max(Math.min(saved.width, display?.width ?? Infinity), minSize.width),
    height: Math.max(Math.min(saved.height, display?.height ?? Infinity), minSize.height),
    maximized: saved.maximized,
  };
  return shown === undefined ? size : { ...size, x: saved.x, y: saved.y };
}

/** Returns whether a display shows the title bar of the window, so that it can be moved. */
export function isReachable(bounds: Rectangle, areas: readonly Rectangle[]): boolean {
  return areas.some((area) => showsTitleBar(area, bounds));
}

/** Saves the bounds. Ignores write errors: the position is not essential. */
export function saveBounds(file: string, bounds: WindowBounds): void {
  try {
    writeFileSync(file, `${JSON.stringify(bounds)}\n`, { mode: 0o600 });
  } catch {
    // The window is centred at the next start.
  }
}

function readFile(file: string): WindowBounds | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Returns whether enough of the title bar is visible in the area to drag the window. */
function showsTitleBar(area: Rectangle, { x, y, width }: Rectangle): boolean {
  const minVisible = 100;
  const inWidth = x + width >= area.x + minVisible && x <= area.x + area.width - minVisible;
  return inWidth && y >= area.y && y <= area.y + area.height - minVisible;
}
