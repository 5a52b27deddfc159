/** The named paper sizes, in inches, in the orientation of their standards (ISO 216, ANSI/ASME Y14.1). */
const mm = (width: number, height: number) => ({ width: width / 25.4, height: height / 25.4 });

export const paperSizes = {
  A0: mm(841, 1189),
  A1: mm(594, 841),
  A2: mm(420, 594),
  A3: mm(297, 420),
  A4: mm(210, 297),
  A5: mm(148, 210),
  A6: mm(105, 148),
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  Tabloid: { width: 11, height: 17 },
  Ledger: { width: 17, height: 11 },
} as const;

export type PaperName = keyof typeof paperSizes;
