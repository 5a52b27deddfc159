/** A value of a page's script as the console of DevTools writes it: objects shortened to a line. Pure. */

/** The protocol's RemoteObject. */
export interface RemoteObject {
  readonly type: string;
  readonly subtype?: string;
  readonly className?: string;
  readonly value?: unknown;
  /** Of numbers that JSON has no form for. */
  readonly unserializableValue?: string;
  readonly description?: string;
  readonly preview?: ObjectPreview;
}

interface ObjectPreview {
  readonly type: string;
  readonly subtype?: string;
  readonly description?: string;
  readonly overflow: boolean;
  readonly properties: readonly PropertyPreview[];
  readonly entries?: readonly { readonly key?: ObjectPreview; readonly value: ObjectPreview }[];
}

interface PropertyPreview {
  readonly name: string;
  readonly type: string;
  readonly subtype?: string;
  readonly value?: string;
  readonly valuePreview?: ObjectPreview;
}

/** As an argument of console.log: a string stands as it is. */
export function argumentText(object: RemoteObject): string {
  const { type, subtype, value, unserializableValue, description, preview } = object;
  if (type === 'string') return String(value);
  if (type === 'undefined') return 'undefined';
  if (subtype === 'null') return 'null';
  if (type !== 'object') return unserializableValue ?? functionText(object) ?? description ?? String(value);
  if (preview === undefined || /^(error|node|date|regexp)$/.test(subtype ?? ''))
    return description ?? object.className ?? 'Object';
  return previewText(preview);
}

/** The message of console.log(first, ...others): `%s` and its kind take the others in turn (Console, 2.2.1). */
export function messageText(values: readonly RemoteObject[]): string {
  const [first, ...others] = values;
  if (first === undefined) return '';
  if (first.type !== 'string') return values.map(argumentText).join(' ');
  const text = String(first.value).replace(/%([sdifoOc%])/g, (directive, letter: string) => {
    if (letter === '%') return '%';
    const next = others.shift();
    if (next === undefined) return directive;
    // A style.
    return letter === 'c' ? '' : argumentText(next);
  });
  return [text, ...others.map(argumentText)].join(' ');
}

/** Its first line: `function add(a, b) {`. */
function functionText({ type, description = '' }: RemoteObject): string | undefined {
  return type === 'function' ? (description.split('\n')[0] ?? '').slice(0, 100) : undefined;
}

function previewText({ subtype, description = '', overflow, properties, entries }: ObjectPreview): string {
  const more = overflow ? ['…'] : [];
  if (entries !== undefined) {
    const shown = entries.map(({ key, value }) => (key ? `${entryText(key)} => ` : '') + entryText(value));
    return `${description} {${[...shown, ...more].join(', ')}}`;
  }
  if (subtype === 'array' || subtype === 'typedarray') {
    const items = properties.map((one) => (/^\d+$/.test(one.name) ? '' : `${one.name}: `) + valueText(one));
    return `${description} [${[...items, ...more].join(', ')}]`;
  }
  const pairs = properties.map((property) => `${property.name}: ${valueText(property)}`);
  return `${description === 'Object' ? '' : `${description} `}{${[...pairs, ...more].join(', ')}}`;
}

function entryText(preview: ObjectPreview): string {
  const { type, description = '' } = preview;
  if (type === 'string') return `'${description}'`;
  return type === 'object' && preview.subtype !== 'null' ? previewText(preview) : description;
}

function valueText({ type, value = '', valuePreview }: PropertyPreview): string {
  if (type === 'string') return `'${value}'`;
  if (type === 'function') return 'ƒ';
  if (type === 'accessor') return '(…)';
  return valuePreview ? previewText(valuePreview) : value;
}
