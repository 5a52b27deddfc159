/** Apple's property lists in XML, as launchd reads them: plist(5). */

export type PropertyValue =
  string | number | boolean | readonly PropertyValue[] | { readonly [key: string]: PropertyValue };

/** `comment` stands before the list; it must not hold `--`. */
export function propertyList(value: PropertyValue, comment?: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
${comment === undefined ? '' : `<!-- ${comment} -->\n`}<plist version="1.0">
${inXml(value)}
</plist>
`;
}

function inXml(value: PropertyValue): string {
  if (typeof value === 'string') return `<string>${escapedForXml(value)}</string>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (isList(value)) return `<array>${value.map(inXml).join('')}</array>`;
  const entries = Object.entries(value).map(
    ([key, one]) => `<key>${escapedForXml(key)}</key>\n${inXml(one)}`,
  );
  return `<dict>\n${entries.join('\n')}\n</dict>`;
}

function isList(value: PropertyValue): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** As the text of an element. */
export function escapedForXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
