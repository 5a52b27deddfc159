/** Reads the imports of a source file from its syntax tree. */
import ts from 'typescript';

/** Returns the module specifiers of all imports and re-exports, including type imports, dynamic imports and `require`. */
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

/** Returns the node of the module specifier if the node is an import of any form. */
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
