// Everything that users read, held against the words that they no longer read (old-words.ts).
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import ts from 'typescript'
import { OLD_WORDS, type OldWord } from './old-words.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Text {
  place: string
  text: string
  isGerman?: boolean
}

const textsIn = (pattern: string | string[], toTexts: (file: string) => Text[]) =>
  globSync(pattern, { cwd: root }).flatMap(toTexts)

const ofProperties = (file: string) =>
  read(file)
    .split('\n')
    .flatMap((line) => {
      const [, key, text] = /^([^#\s]+) = (.+)$/.exec(line) ?? []
      return key ? [{ place: `${file} ${key}`, text: text!, isGerman: /_de\./.test(file) }] : []
    })

const ofJson = (file: string) =>
  Object.entries(JSON.parse(read(file)) as Record<string, Record<string, string>>).flatMap(
    ([language, texts]) =>
      Object.entries(texts).map(([key, text]) => ({
        ...{ place: `${file} ${language} ${key}`, text, isGerman: language === 'de' },
      })),
  )

const ofCodeList = (file: string) =>
  parse<{ code: string; name: string; locale?: string }>(read(file), {
    ...{ delimiter: ';', columns: true },
  }).map(({ code, name, locale }) => ({
    ...{ place: `${file} ${code}`, text: name, isGerman: locale === 'de' },
  }))

/** Literals of code, the parts of templates included; names of modules are none. */
function ofCode(file: string): Text[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  const texts: Text[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      texts.push({ place: `${file}:${line + 1}`, text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

/** Paragraphs in one line: a word may be broken across two. */
const ofDocument = (file: string) =>
  read(file)
    .split(/\n\s*\n/)
    .map((text) => ({ place: file, text: text.replace(/\s+/g, ' ') }))

const APPS = [
  ...textsIn('app/*/webapp/i18n/*.properties', ofProperties),
  ...textsIn('_i18n/*.json', ofJson),
  ...textsIn('db/data/*.csv', ofCodeList),
  ...textsIn(['app/shell/texts.js', 'app/admin/webapp/sections.js'], ofCode),
]

// Decisions and releases of the past stand as they were written.
const OTHERS = [
  ...textsIn(['adapters/texts.json', 'adapters/*/texts.json'], ofJson),
  ...textsIn('cli/**/*.ts', ofCode),
  ...textsIn(['README.md', 'docs/*.md', 'docs/{guides,reference}/**/*.md'], ofDocument),
]

const found = ({ old, where }: OldWord) =>
  (where === 'apps' ? APPS : [...APPS, ...OTHERS]).filter(({ text }) => old.test(text))

it('reads the texts of both apps, of the command line and of the documentation', () => {
  expect(APPS.length).toBeGreaterThan(2000)
  expect(OTHERS.length).toBeGreaterThan(2000)
})

it.each(OLD_WORDS.map((word) => [String(word.old), word.better, word] as const))(
  'nobody reads %s, but “%s”',
  (_old, _better, word) => {
    expect(found(word).map(({ place, text }) => `${place}: ${text}`)).toEqual([])
  },
)

it('no German text is left in English', () => {
  const english = /\b(the|and|with|without|from|this|not|are|your|please)\b/i
  const german = [...APPS, ...OTHERS].filter(({ isGerman }) => isGerman)
  expect(german.length).toBeGreaterThan(1000)
  expect(german.filter(({ text }) => english.test(text.replace(/\{\w+\}/g, '')))).toEqual([])
})

it('German addresses people formally', () => {
  const german = APPS.filter(({ isGerman }) => isGerman)
  expect(german.filter(({ text }) => /\b(du|dein|deine|dir|dich)\b/i.test(text))).toEqual([])
})

it('labels of annotations are texts in both languages, never words in the annotation', () => {
  const labels = globSync('{app,srv,db}/**/*.cds', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/(?:@title|Label|TypeName|TypeNamePlural)\s*:\s*'([^'{][^']*)'/g)].map(
      ([, label]) => `${file}: ${label}`,
    ),
  )
  expect(labels).toEqual([])
})
