import ts from 'typescript-5';

/**
 * One change of a source file: `text` replaces the characters from `start` to `end`. `within` is the name of the
 * nearest named function around it; empty outside of functions.
 */
export type Mutant = { line: number; start: number; end: number; was: string; text: string; within: string };

const TURNED: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
};

/** A map, since an object has also what every object has, such as `toString`. */
const TURNED_METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);

type Change = { node: ts.Node; text: string };

/** Every single change of operators, conditions, constants and statements in a file that a test should notice. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isBeside(node)) return;
    for (const change of changesOf(node)) found.push(mutantOf(tree, change));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(tree, visit);
  return found;
}

/** Types, imports, log texts, descriptions of fields and distances between them do not change what a caller gets. */
function isBeside(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isSign(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isExpressionStatement(node)) return isBeside(node.expression);
  return ts.isCallExpression(node) && /^(?:log\.\w+|.*\.meta)$/s.test(node.expression.getText());
}

function mutantOf(tree: ts.SourceFile, { node, text }: Change): Mutant {
  const [start, end] = [node.getStart(tree), node.getEnd()];
  const line = tree.getLineAndCharacterOfPosition(start).line + 1;
  return { line, start, end, was: tree.text.slice(start, end), text, within: functionAround(node) };
}

/** A function without a name has the name of the variable or property to which it is assigned, as in V8. */
function functionAround(node: ts.Node): string {
  for (let at = node.parent; at; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    if (at.name) return at.name.getText();
    const { parent } = at;
    const isNaming = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
    if (isNaming && parent.initializer === at) return parent.name.getText();
  }
  return '';
}

function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) return ofOperator(node);
  if (ts.isIfStatement(node)) return ['true', 'false'].map((text) => ({ node: node.expression, text }));
  if (ts.isConditionalExpression(node)) return [{ node: node.condition, text: `!(${node.condition.getText()})` }];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ node, text: node.operand.getText() }];
  if (ts.isNumericLiteral(node)) return [{ node, text: `(${node.getText()} + 1)` }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ node, text: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ node, text: 'true' }];
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [{ node, text: ';' }];
  return ts.isCallExpression(node) ? ofCall(node) : [];
}

/** The number that a comparison of two values answers; only its sign counts. */
function isSign(node: ts.Node): boolean {
  if (!ts.isConditionalExpression(node.parent)) return false;
  const { condition, whenTrue, whenFalse } = node.parent;
  return node !== condition && ['-1,1', '1,-1'].includes(`${whenTrue.getText()},${whenFalse.getText()}`);
}

function ofOperator({ operatorToken, left, right }: ts.BinaryExpression): Change[] {
  const turned = TURNED[operatorToken.kind];
  if (turned) return [{ node: operatorToken, text: turned }];
  const isDefault = operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  return isDefault ? [{ node: left, text: `(${right.getText()})` }] : [];
}

/** `filter` that lets all pass, and methods that have an opposite. */
function ofCall({ expression, arguments: [given] }: ts.CallExpression): Change[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { name } = expression;
  const turned = TURNED_METHODS.get(name.text);
  if (turned) return [{ node: name, text: turned }];
  return name.text === 'filter' && given ? [{ node: given, text: '() => true' }] : [];
}
