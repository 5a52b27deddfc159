/** `data_options`: comma separated `key=value`. */
import { DataProblem } from './data-problem.ts';

export interface DataOptions {
  readonly csvDelimiter: string;
  readonly xmlRemoveRoot: boolean;
  readonly dataRoot: string;
}

export function readDataOptions(given = ''): DataOptions {
  const found = new Map(pairs(given));
  const dataRoot = found.get('data_root') ?? 'data';
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(dataRoot))
    throw new DataProblem(`The data_root '${dataRoot}' in data_options is no name.`);
  const removes = (found.get('xml_remove_root') ?? 'false').toLowerCase();
  if (!/^(true|false|1|0|)$/.test(removes))
    throw new DataProblem(`The xml_remove_root '${removes}' in data_options is neither true nor false.`);
  return {
    csvDelimiter: delimiter(found.get('csv_delimiter')),
    xmlRemoveRoot: /^(true|1)$/.test(removes),
    dataRoot,
  };
}

const known = ['csv_delimiter', 'xml_remove_root', 'data_root'];

/** A delimiter may be the comma itself: `csv_delimiter=,,data_root=rows`. */
function pairs(given: string): [string, string][] {
  return given
    .split(/,(?=\s*[a-z_]+\s*=)/)
    .filter((pair) => /\S/.test(pair))
    .map((pair) => {
      const name = pair
        .slice(0, Math.max(0, pair.indexOf('=')))
        .trim()
        .toLowerCase();
      if (!known.includes(name))
        throw new DataProblem(
          `'${pair.trim()}' in data_options is not known; allowed: comma separated key=value of ${known.join(', ')}.`,
        );
      const value = pair.slice(pair.indexOf('=') + 1);
      return [name, name === 'csv_delimiter' ? value : value.trim()];
    });
}

function delimiter(given = ','): string {
  const value = given === '\\t' || /^tab$/i.test(given) ? '\t' : given;
  if (value === '' || value.length > 8 || /["\r\n]/.test(value))
    throw new DataProblem(`The csv_delimiter '${given}' in data_options cannot separate values.`);
  return value;
}
