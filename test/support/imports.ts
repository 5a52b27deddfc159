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

/** Returns the module specifiers of the imports and re-exports that load a module at run time: no types, no dynamic imports. */
export function loadedSpecifiersOf(source: string): string[] {
  return ts
    .createSourceFile('source.tsx', source, ts.ScriptTarget.Latest)
    .statements.filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    .filter((declaration) => !importsOnlyTypes(declaration))
    .map(({ moduleSpecifier }) => moduleSpecifier)
    .filter((specifier) => specifier !== undefined)
    .filter((specifier) => ts.isStringLiteral(specifier))
    .map(({ text }) => text);
}

function importsOnlyTypes(declaration: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(declaration)) return declaration.isTypeOnly;
  const { importClause } = declaration;
  if (importClause === undefined) return false;
  const { phaseModifier, name, namedBindings } = importClause;
  const isTypeOnly = phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (isTypeOnly || name !== undefined || namedBindings === undefined) return isTypeOnly;
  return ts.isNamedImports(namedBindings) && namedBindings.elements.every((element) => element.isTypeOnly);
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
