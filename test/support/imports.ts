/** What a source file imports, by its syntax. */
import ts from 'typescript';

/** The names in every form of import and export there is, types included. */
export function specifiersOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const named = nameNodeOf(node);
    if (named !== undefined && ts.isStringLiteralLike(named)) found.push(named.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest));
  return found;
}

/** The node that names what is imported, of whatever form of import. */
function nameNodeOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const imports =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require');
  return imports ? node.arguments[0] : undefined;
}
