/** JSON. Node's parser is the fastest there is but does not say where it stopped; a second one that does looks for the place. */
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { dataProblem, type DataProblem } from './data-problem.ts';

/** `__proto__` in the data is an own property of that name, and no prototype. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw problem(text, error instanceof Error ? error.message : '');
  }
}

function problem(text: string, message: string): DataProblem {
  let first: { code: ParseErrorCode; offset: number } | undefined;
  visit(
    text,
    {
      onError: (code, offset) => {
        first ??= { code, offset };
      },
    },
    { disallowComments: true, allowTrailingComma: false },
  );
  if (first === undefined) return dataProblem('JSON', message, { text, offset: 0 });
  return dataProblem('JSON', inWords(printParseErrorCode(first.code)), { text, offset: first.offset });
}

/** "PropertyNameExpected" as "property name expected". */
function inWords(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words === 'invalid symbol' ? 'this is no JSON value' : words;
}
