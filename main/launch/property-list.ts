/** Writes XML property lists as launchd reads them; see plist(5). */

type PropertyValue =
  string | number | boolean | readonly PropertyValue[] | { readonly [key: string]: PropertyValue };

/** Returns a property list. `comment` is written before the list and must not contain `--`. */
export function propertyList(value: PropertyValue, comment?: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
${comment === undefined ? '' : `<!-- ${comment} -->\n`}<plist version="1.0">
${toXml(value)}
</plist>
`;
}

function toXml(value: PropertyValue): string {
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (isList(value)) return `<array>${value.map(toXml).join('')}</array>`;
  const entries = Object.entries(value).map(([key, item]) => `<key>${escapeXml(key)}</key>\n${toXml(item)}`);
  return `<dict>\n${entries.join('\n')}\n</dict>`;
}

function isList(value: PropertyValue): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** Escapes the text of an XML element. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
