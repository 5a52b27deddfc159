/** THE LIST of checks, in the order in which they are carried out and told. */
import { accounts } from './accounts.ts';
import type { Check } from './check.ts';
import { colours } from './colours.ts';
import { conversion } from './conversion.ts';
import { dataFolder, diskSpace, workFolder } from './folders.ts';
import { fonts } from './fonts.ts';
import { headerAndFooter } from './header-and-footer.ts';
import { isolation } from './isolation.ts';
import { memory } from './memory.ts';
import { ownFonts } from './own-fonts.ts';
import { pagesAndText } from './pages-and-text.ts';
import { refusedAddresses } from './refused-addresses.ts';
import { scriptsWithGlyphs } from './scripts.ts';
import { tallPicture } from './tall-picture.ts';

export const checks: readonly Check[] = [
  ...[dataFolder, workFolder, diskSpace, accounts, memory],
  ...[conversion, pagesAndText, headerAndFooter, colours, tallPicture],
  ...[fonts, scriptsWithGlyphs, ownFonts, isolation, refusedAddresses],
];
