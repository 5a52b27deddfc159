/** Numbers as people write them into a form: `20000`, `20,000`, `20.000`, `20 000`. Pure. */

/** As many digits as the service takes. */
const most = 999_999_999_999;

/** A whole number from 0; undefined for anything else. Separators must part thousands, so that `1.5` is no 15. */
export function readAmount(text: string): number | undefined {
  const plain = text.trim();
  if (!/^(\d+|\d{1,3}([,.'’\s]\d{3})+)$/.test(plain)) return undefined;
  const separators = new Set(plain.match(/\D/g));
  const value = Number(plain.replaceAll(/\D/g, ''));
  return separators.size <= 1 && value <= most ? value : undefined;
}

/** The same with a sign: `-500` takes away. */
export function readDifference(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^\s*([+\-−]?)\s*(.*)$/su.exec(text) ?? [];
  const value = readAmount(rest);
  if (value === undefined) return undefined;
  return sign === '' || sign === '+' ? value : 0 - value;
}
