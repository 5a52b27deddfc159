/** Parses version 0.0.4 of the Prometheus text format strictly: an unknown line is an error. */

export interface ExpositionSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Exposition {
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;
  readonly samples: readonly ExpositionSample[];
  /** Returns the sum of all samples with that name and at least these labels. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number;
}

const samplePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/y;

/** @throws Error with the line that cannot be parsed */
export function readExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line feed');
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  const samples: ExpositionSample[] = [];
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment === null) samples.push(readSample(line, types));
    else {
      const known = comment[1] === 'TYPE' ? types : helps;
      if (known.has(comment[2] ?? '')) throw new Error(`repeated HELP or TYPE line: ${line}`);
      known.set(comment[2] ?? '', comment[3] ?? '');
    }
  }
  const sum: Exposition['sum'] = (name, labels = {}) =>
    samples
      .filter((sample) => sample.name === name && includes(sample.labels, labels))
      .reduce((total, { value }) => total + value, 0);
  return { types, helps, samples, sum };
}

function readSample(line: string, types: ReadonlyMap<string, string>): ExpositionSample {
  const [, name = '', labelText = '', number = ''] = samplePattern.exec(line) ?? [];
  const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
  if (!types.has(family)) throw new Error(`no TYPE line before the sample: ${line}`);
  const value = /^[+-]Inf$/.test(number) ? Number(`${number}inity`) : Number(number);
  if (number !== 'NaN' && Number.isNaN(value)) throw new Error(`not a number: ${line}`);
  return { name, labels: readLabels(labelText, line), value };
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  labelPattern.lastIndex = 0;
  while (labelPattern.lastIndex < text.length) {
    const match = labelPattern.exec(text);
    if (match === null) throw new Error(`invalid labels: ${line}`);
    labels[match[1] ?? ''] = (match[2] ?? '').replace(/\\(.)/g, (_, character: string) =>
      character === 'n' ? '\n' : character,
    );
  }
  return labels;
}

function includes(
  labels: Readonly<Record<string, string>>,
  expectedLabels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(expectedLabels).every(([name, value]) => labels[name] === value);
}
