// The code blocks of the documentation, in its order.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

export interface Block {
  file: string
  line: number
  language: string
  text: string
}

const markdownIn = (folder: string) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`)

const FILES = [
  ...['README.md', ...markdownIn('docs'), ...markdownIn('docs/guides')],
  ...markdownIn('docs/guides/de'),
  ...[...markdownIn('docs/reference'), 'client/README.md'],
]

const FENCED = /^( *)```(\w*)\n(.*?)^ *```/gms
/** A command in a block that is set off by blanks alone. */
const INDENTED = /^ {4}(npx|npm|curl) .*$/gm

/** All blocks of the guides and the reference. */
export function codeBlocks(): Block[] {
  return FILES.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const lineOf = (at: number) => text.slice(0, at).split('\n').length
    const fenced = [...text.matchAll(FENCED)].map(({ index, 2: language, 3: body }) => ({
      ...{ file, line: lineOf(index), language: language!, text: body! },
    }))
    const plain = text.replace(FENCED, (block) => block.replaceAll(/[^\n]/g, ' '))
    const indented = [...plain.matchAll(INDENTED)].map(({ index, 0: line }) => ({
      ...{ file, line: lineOf(index), language: 'sh', text: line },
    }))
    return [...fenced, ...indented].sort((a, b) => a.line - b.line)
  })
}

/** The commands of a block: each line of a script, or those after a prompt where their answers are shown. */
export function commandsOf({ language, text }: Block): string[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  const isScript = language === 'sh'
  return lines
    .map((line) => line.trim())
    .filter((line) => (isScript ? line && !line.startsWith('#') : line.startsWith('$ ')))
    .map((line) => line.replace(/^\$ /, '').replace(/\s+#.*$/, ''))
}
