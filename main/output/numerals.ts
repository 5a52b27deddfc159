/** Formats page numbers in the number formats of headers, footers and page references. */

const digits = {
  'eastern-arabic': '٠١٢٣٤٥٦٧٨٩',
  bengali: '০১২৩৪৫৬৭৮৯',
  devanagari: '०१२३४५६७८९',
  thai: '๐๑๒๓๔๕๖๗๘๙',
} as const;

const chinese = {
  'east-asia': { digits: '零一二三四五六七八九', units: ['', '十', '百', '千'], group: '万', one: '' },
  'chinese-formal': { digits: '零壹貳參肆伍陸柒捌玖', units: ['', '拾', '佰', '仟'], group: '萬', one: '壹' },
} as const;

const romans = [
  ...([
    ['M', 1000],
    ['CM', 900],
    ['D', 500],
    ['CD', 400],
    ['C', 100],
    ['XC', 90],
  ] as const),
  ...([
    ['L', 50],
    ['XL', 40],
    ['X', 10],
    ['IX', 9],
    ['V', 5],
    ['IV', 4],
    ['I', 1],
  ] as const),
];

export const numberFormats = [
  'arabic',
  'roman',
  'lower-roman',
  'eastern-arabic',
  'bengali',
  'devanagari',
  'thai',
  'east-asia',
  'chinese-formal',
] as const;

export type NumberFormat = (typeof numberFormats)[number];

/** Returns the format of that name; `arabic` for an unknown name. */
export function numberFormatOf(name: string): NumberFormat {
  return numberFormats.find((format) => format === name) ?? 'arabic';
}

/** Formats a whole number. Uses plain digits if the format cannot represent the number, such as a Roman zero. */
export function formatNumber(number: number, format: NumberFormat): string {
  switch (format) {
    case 'arabic':
      return String(number);
    case 'roman':
      return roman(number);
    case 'lower-roman':
      return roman(number).toLowerCase();
    case 'east-asia':
    case 'chinese-formal':
      return chineseNumeral(number, chinese[format]);
    case 'eastern-arabic':
    case 'bengali':
    case 'devanagari':
    case 'thai':
      return String(number).replace(/\d/g, (digit) => digits[format][Number(digit)] ?? digit);
  }
}

/** Returns plain digits for numbers below 1, and for numbers above 3,999, which would need an overline. */
function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let remainder = number;
  return romans.reduce((text, [letters, value]) => {
    const times = Math.floor(remainder / value);
    remainder -= times * value;
    return text + letters.repeat(times);
  }, '');
}

type Chinese = (typeof chinese)[keyof typeof chinese];

/** Writes one zero for each gap between digits (CSS Counter Styles 3, 7.1). Returns plain digits for numbers out of range. */
function chineseNumeral(number: number, system: Chinese): string {
  if (number < 0 || number > 99_999_999) return String(number);
  if (number === 0) return system.digits.charAt(0);
  const high = Math.floor(number / 10_000);
  const low = number % 10_000;
  const gap = high > 0 && low > 0 && low < 1000 ? system.digits.charAt(0) : '';
  const upper = high > 0 ? group(high, system) + system.group : '';
  const text = upper + gap + (low > 0 ? group(low, system) : '');
  // The informal numerals omit the leading 一 (one) in 10 to 19.
  return number < 20 && system.one === '' ? text.replace(/^一十/, '十') : text;
}

/** Formats a number of up to four digits, each followed by its unit. */
function group(number: number, { digits: figures, units }: Chinese): string {
  let text = '';
  for (let position = 3; position >= 0; position -= 1) {
    const digit = Math.floor(number / 10 ** position) % 10;
    const zero = figures.charAt(0);
    if (digit > 0) text += figures.charAt(digit) + (units[position] ?? '');
    else if (text !== '' && !text.endsWith(zero) && number % 10 ** position > 0) text += zero;
  }
  return text;
}
