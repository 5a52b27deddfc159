/** Queries over the DevTools protocol with which fonts Chromium draws text. */
import type { SendCommand } from './evaluate.ts';

export interface PlatformFont {
  readonly family: string;
  readonly glyphs: number;
  /** The font is a web font of the page. */
  readonly web: boolean;
}

interface PlatformFontsResult {
  readonly fonts: readonly { familyName: string; glyphCount: number; isCustomFont: boolean }[];
}

/**
 * Returns the fonts of the first `maxElements` elements that match `selectors`, in document order. When the protocol's CSS domain
 * is enabled, Chromium requests the page's document and style sheets again. The caller must refuse these requests; Chromium
 * continues without them.
 */
export async function platformFonts(
  send: SendCommand,
  selectors: string,
  maxElements: number,
): Promise<readonly (readonly PlatformFont[])[]> {
  try {
    await Promise.all([send('DOM.enable'), send('CSS.enable')]);
    const { root } = (await send('DOM.getDocument', { depth: 0 })) as { root: { nodeId: number } };
    const found = await send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: selectors });
    const { nodeIds } = found as { nodeIds: readonly number[] };
    const answers = nodeIds
      .slice(0, maxElements)
      .map((nodeId) => send('CSS.getPlatformFontsForNode', { nodeId }));
    return ((await Promise.all(answers)) as readonly PlatformFontsResult[]).map(({ fonts }) =>
      fonts.map(fontOf),
    );
  } finally {
    await Promise.all([send('CSS.disable'), send('DOM.disable')]);
  }
}

/** The name may be that of a web font. */
const maxNameLength = 200;

function fontOf({
  familyName,
  glyphCount,
  isCustomFont,
}: PlatformFontsResult['fonts'][number]): PlatformFont {
  return { family: familyName.slice(0, maxNameLength), glyphs: glyphCount, web: isCustomFont };
}
