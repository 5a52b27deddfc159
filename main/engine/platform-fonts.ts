/** What fonts Chromium draws text with, by the DevTools protocol. */
import type { Send } from './emulation.ts';

export interface PlatformFont {
  readonly family: string;
  readonly glyphs: number;
  /** It came with the page. */
  readonly web: boolean;
}

interface Answer {
  readonly fonts: readonly { familyName: string; glyphCount: number; isCustomFont: boolean }[];
}

/**
 * The fonts of the first elements that match, in the order of the document. When the protocol's CSS domain begins, Chromium
 * asks anew for the page's document and style sheets: these requests should be refused meanwhile, it goes on without.
 */
export async function platformFonts(
  send: Send,
  selectors: string,
  most: number,
): Promise<readonly (readonly PlatformFont[])[]> {
  try {
    await Promise.all([send('DOM.enable'), send('CSS.enable')]);
    const { root } = (await send('DOM.getDocument', { depth: 0 })) as { root: { nodeId: number } };
    const found = await send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: selectors });
    const { nodeIds } = found as { nodeIds: readonly number[] };
    const asked = nodeIds.slice(0, most).map((nodeId) => send('CSS.getPlatformFontsForNode', { nodeId }));
    return ((await Promise.all(asked)) as readonly Answer[]).map(({ fonts }) => fonts.map(fontOf));
  } finally {
    await Promise.all([send('CSS.disable'), send('DOM.disable')]);
  }
}

function fontOf({ familyName, glyphCount, isCustomFont }: Answer['fonts'][number]): PlatformFont {
  return { family: familyName, glyphs: glyphCount, web: isCustomFont };
}
