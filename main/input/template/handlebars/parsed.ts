/** Calls Handlebars' parser, and adds line and column to its errors. */
import Handlebars from 'handlebars';
import { TemplateProblem, type SourcePosition } from '../problem.ts';

/** @throws TemplateProblem */
export function parseHandlebars(template: string): hbs.AST.Program {
  try {
    return Handlebars.parse(template);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    const position = errorPosition(error);
    const isFilter = template.split('\n', position.line)[position.line - 1]?.[position.column - 1] === '|';
    const hint = isFilter ? '; filters are Jinja: send template_engine=jinja' : '';
    throw new TemplateProblem(clauseOf(error) + hint, position);
  }
}

export function nodePosition({ loc }: { loc: hbs.AST.SourceLocation }): SourcePosition {
  return { line: loc.start.line, column: loc.start.column + 1 };
}

/**
 * Returns the problem that a parser message describes. Messages are, for example, "if doesn't match each - 3:5" or "Parse error on
 * line 3:\n...\n---^\nExpecting 'ID', got 'EOF'".
 */
function clauseOf({ message }: Error): string {
  const [last = ''] = message.split('\n').slice(-1);
  if (message.startsWith('Lexical error')) return 'unexpected character';
  const got = /^Expecting .*, got '(\w+)'$/.exec(last)?.[1];
  if (got === undefined) return last.replace(/ - \d+:\d+$/, '');
  return `${tokens[got] ?? 'this'} is not expected here${got === 'EOF' ? '; a {{#block}} is not closed' : ''}`;
}

const tokens: Readonly<Record<string, string>> = {
  EOF: 'the end of the template',
  INVALID: 'this character',
  CLOSE: '}}',
  OPEN_ENDBLOCK: 'the end of a block',
  INVERSE: '{{else}}',
  ID: 'a name',
};

/** Returns the position in the exception for a block that does not match, and the lexer's current position for a parse error. */
function errorPosition(error: Error): SourcePosition {
  const { lineNumber, column } = error as { lineNumber?: number; column?: number };
  if (lineNumber !== undefined && column !== undefined) return { line: lineNumber, column: column + 1 };
  const { Parser } = Handlebars as unknown as {
    Parser: { lexer: { yylloc: { first_line: number; first_column: number } } };
  };
  const { first_line, first_column } = Parser.lexer.yylloc;
  return { line: first_line, column: first_column + 1 };
}
