// Every regular expression of what runs, found in the sources themselves.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const root = path.resolve(import.meta.dirname, '../..')

export interface Found {
  file: string
  /** As it stands there. */
  text: string
  /** Null where it is put together at run time. */
  pattern: RegExp | null
}

function literal(text: string) {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

function patternsIn(file: string): Found[] {
  const source = readFileSync(path.join(root, file), 'utf8')
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: Found[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      found.push({ file, text: node.text, pattern: literal(node.text) })
    } else if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const isRegExp = node.expression.getText() === 'RegExp'
      if (isRegExp) found.push({ file, text: node.getText(), pattern: null })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

export const collectPatterns = (folders: string[]): Found[] =>
  globSync(`{${folders.join(',')}}/**/*.{ts,js}`, { cwd: root })
    .sort()
    .flatMap(patternsIn)
