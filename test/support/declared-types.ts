/** Reads the types that a source file declares from its syntax tree. */
import ts from 'typescript';

/**
 * Returns the names of all interfaces, type aliases, classes and enums of a file, including those inside functions. For JavaScript,
 * these are its classes and JSDoc typedefs; a typedef that imports a type declares none.
 */
export function declaredTypes(fileName: string, source: string): string[] {
  const tree = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest);
  const isJavaScript = /\.[cm]?jsx?$/.test(fileName);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = typeNameOf(node);
    if (name !== undefined) found.push(name);
    // Only getChildren includes JSDoc comments.
    if (isJavaScript) node.getChildren(tree).forEach(visit);
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function typeNameOf(node: ts.Node): string | undefined {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node))
    return node.name.text;
  if (ts.isClassLike(node)) return node.name?.text;
  if (!ts.isJSDocTypedefTag(node)) return undefined;
  const { typeExpression, name } = node;
  const isImport =
    typeExpression !== undefined &&
    ts.isJSDocTypeExpression(typeExpression) &&
    ts.isImportTypeNode(typeExpression.type);
  return isImport ? undefined : name?.text;
}
